// sample_kernel: a csr-scalar kernel written by hand, for tests of the code around a kernel.
#pragma once
#include "generator/arrays/kernel.h"
#include "generator/arrays/matrix.h"

namespace alphasparse {

/// One thread a row; arrays row_first_nz [rows + 1] (U16 where nnz fits, else I32), column [nnz]
/// (I32) and value [nnz].
Kernel sample_kernel(const Matrix& matrix, Dtype dtype);

/// Notes where the kernels of a source that was written by hand stand in it.
void find_places(Kernel& kernel);

}  // namespace alphasparse
