// columns: cases of a kernel for several vectors, out of those of one, and its results as those of
// one vector each.
//
// Column k of X is x times a power of two of its own, and so is that of Y: no two columns are
// alike, and each result is that of one vector but for the factor, bit for bit. Between the columns
// and the next row lies a gap. In X it holds huge numbers, in Y it keeps its bits. Baselines have
// none, and those that are called for each column have X and Y column by column.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// The factor of a column: +-2^-n, different for each of the most columns that a kernel has.
double column_factor(int column);

/// Numbers from one row of X or Y to the next in any of its cases, at most.
std::int64_t distance_most(const Kernel& kernel);

/// A case of one vector as one of the kernel's columns, without a gap: to time it with. That of a
/// kernel for one vector is the case itself.
SpmvCase with_columns(const Kernel& kernel, const SpmvCase& one);

/// The column that alone has the Inf and NaN of a case.
int infinite_column(const Kernel& kernel);

/// Runs cases of one vector, and gives the results as of one vector: one a column, those of a case
/// behind each other. Where `finite` is not empty, all but infinite_column() have it as their x of
/// the cases whose x is not finite. Fails where a gap of Y has changed.
Result<std::vector<SpmvOutcome>> run_columns(const Kernel& kernel, LoadedKernel& loaded,
                                             std::span<const SpmvCase> cases,
                                             const std::vector<SharedBytes>& finite);

}  // namespace alphasparse
