// wide: registers of 64 bytes, where the processor has them, for kernels that read x in order, or
// rows of X; text that comes before the prelude's.
#pragma once

#if defined(__AVX512F__) && !defined(ALPHASPARSE_VECTOR_BYTES)
#define ALPHASPARSE_VECTOR_BYTES 64
#endif
