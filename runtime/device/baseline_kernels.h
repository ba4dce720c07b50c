// baseline_kernels: the kernels that people use today, as kernels without a source. So they are
// loaded, verified and timed as ours are, on the same x and y, in the same process. On GPUs they
// are the formats and algorithms of the vendor's SpMV, of cuSPARSE or rocSPARSE. On CPUs they are a
// plain loop, Eigen and MKL.
#pragma once
#include <string_view>
#include <vector>

#include "base/result.h"
#include "generator/arrays/kernel.h"
#include "generator/arrays/operands.h"
#include "runtime/device/baseline_library.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// One way in which a library computes y = alpha * A * x + beta * y, or Y = alpha * A * X + beta *
/// Y (cuSPARSE: CUDA 13, cusparse.h; rocSPARSE: ROCm 7.2, rocsparse-types.h).
struct Baseline {
  std::string_view name;         ///< "cusparse-csr-1": of our tables, and Kernel::vendor
  std::string_view format;       ///< "csr", "coo", "ell", "sell", "bsr" or "triangle": its arrays
  std::string_view library;      ///< the library that has it
  int number = 0;                ///< cuSPARSE's cusparseSpMVAlg_t, cusparseSpMMAlg_t or
                                 ///< cusparseSpMVOpAlg_t; rocSPARSE's rocsparse_spmv_alg
  std::int32_t slice_rows = 0;   ///< of sliced ELLPACK
  std::string_view source = "";  ///< of kernels that g++ compiles, below templates/baselines; else
                                 ///< empty
  bool optimised = false;        ///< MKL's, which looks at the matrix once before
  std::string_view part = "";    ///< of the library, which not all its versions have
  int since = 0;  ///< rocSPARSE's first version with the part, in its number: 400200 is 4.2.0
  bool is_spmm = false;   ///< cuSPARSE's for several vectors; CPUs' libraries are for any number
  bool by_calls = false;  ///< several columns by a call each of its product for one vector
  bool is_slow_to_prepare = false;

  Target target() const { return library_named(library).target; }

  bool multiplies(int vectors) const {
    const bool is_any = target() == Target::cpu && !by_calls;
    return is_any || (is_spmm || by_calls) == (vectors > 1);
  }

  /// Not where it takes that values are symmetric.
  bool takes_any_values() const { return format != "triangle"; }
};

/// The baselines on such a device: those first that are the best more often. On GPUs of NVIDIA CSR
/// by both algorithms, sliced ELLPACK in slices of three heights, blocks (BSR) where the matrix has
/// them, COO by both, and SpMVOp. On GPUs of AMD CSR by four algorithms, COO by both, ELL, blocks
/// and sliced ELLPACK. On CPUs the one first that is always there; MKL also has a triangle of a
/// symmetric matrix for the whole, and blocks of 2 to 4 rows. Of several vectors the products for
/// as many, X and Y row by row, and those for one, called for each column.
const std::vector<Baseline>& baselines(Target target, int vectors = 1,
                                       Dialect dialect = Dialect::cuda);
const std::vector<Baseline>& baselines(const DeviceInfo& device, int vectors = 1);

/// Whether its library runs on that device.
bool runs_on(const Baseline& algorithm, const DeviceInfo& device);

/// The baseline of that name, on any device; null where there is none.
const Baseline* find_baseline(std::string_view name);

/// The library, or the part of it, that a failure tells to be missing; empty where it tells
/// anything else.
std::string_view find_missing(const Baseline& algorithm, const std::string& reason);

/// The matrix in the arrays that the algorithm takes: `row` (offsets of rows, row indices, or
/// offsets of slices, of which ELL has one), `column` and `value`, without launches and workspaces.
/// Pads have no column. Blocks with holes, and the copy that MKL makes of a matrix, read fill.
/// Fails (pruned) where slices would hold more than 16 times the entries, or blocks more than 1.5
/// times, where a triangle does not stand for the whole, or where it does not multiply so many
/// vectors.
Result<Kernel> baseline_kernel(const Baseline& algorithm, const Matrix& matrix,
                               const Operands& operands);

/// The columns of X and Y that one call of the kernel's code multiplies. One, of several, where a
/// baseline is called for each: then X and Y lie column by column.
int columns_a_call(const Kernel& kernel);

}  // namespace alphasparse
