#pragma once
#include "value.h"

#define INLINE __attribute__((always_inline, unused)) inline

/// In a loop that adds products one by one: else compilers make many at once, by the hardware's
/// gathers, only to take them apart again.
#define ONE_BY_ONE asm("")

INLINE constexpr int min(int a, int b) { return a < b ? a : b; }
INLINE constexpr int max(int a, int b) { return a > b ? a : b; }

// Not 64 with AVX-512: gathers of sixteen columns at a time do not fit into the integer registers.
#if !defined(ALPHASPARSE_VECTOR_BYTES) && defined(__AVX__)
#define ALPHASPARSE_VECTOR_BYTES 32
#elif !defined(ALPHASPARSE_VECTOR_BYTES)
#define ALPHASPARSE_VECTOR_BYTES 16
#endif
