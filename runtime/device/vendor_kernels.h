// vendor_kernels: the formats and algorithms of cuSPARSE's SpMV as kernels without a source, so
// that they are loaded, verified and timed as ours are: on the same x and y, in the same process.
#pragma once
#include <string_view>
#include <vector>

#include "generator/kernel.h"
#include "generator/result.h"

namespace alphasparse {

/// One way in which cuSPARSE computes y = alpha * A * x + beta * y (CUDA 13, cusparse.h).
struct VendorAlgorithm {
  std::string_view name;        ///< "cusparse-csr-1": of our tables, and Kernel::vendor
  std::string_view format;      ///< "csr", "coo", "sell" or "bsr": which arrays it takes
  int number;                   ///< cusparseSpMVAlg_t
  std::int32_t slice_rows = 0;  ///< of sliced ELLPACK
};

/// CSR by both algorithms, sliced ELLPACK in slices of three heights, blocks (BSR) where the matrix
/// has them, and COO by both: those first that are the best more often.
const std::vector<VendorAlgorithm>& vendor_algorithms();

/// Null where there is none of the name.
const VendorAlgorithm* find_vendor_algorithm(std::string_view name);

/// The matrix as the algorithm takes it: arrays `row` (offsets of rows, row indices, or offsets of
/// slices), `column` and `value`; launches and workspaces none. Pads of slices have no column, but
/// blocks with holes read fill. Fails (pruned) where slices would hold more than 16 times the
/// entries, or blocks more than 1.5 times.
Result<Kernel> vendor_kernel(const VendorAlgorithm& algorithm, const Matrix& matrix, Dtype dtype);

}  // namespace alphasparse
