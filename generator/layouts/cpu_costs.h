// cpu_costs: the time that entries and parts cost one thread of a CPU, by the total that adds
// entries up. Tasks are cut by these costs. The search orders designs by them before it builds
// them.
//
// A total that belongs to one layout or operator has its costs there (Fragment::cpu_cost). Those of
// other totals are in a table here.
//
// Least squares of log(time) over 3,700 kernels that searches measured on 26 matrices of up to 3e6
// non-zeros. They ran in float32, on one thread of an AMD EPYC with AVX-512, in its caches; designs
// with packed arrays were left out. Half the times are within 12 %. They tell an order, not a time.
// To check it, the costs came from 25 of the matrices. In geometric mean, the first of some 50
// designs then takes 1.09 times the best of the 26th, and the fastest of the first five 1.01 times.
// The costs of bands, of mix and of gangs of 32 come from kernels on 5 matrices in both types, each
// cut into 12 tasks that were timed one by one. Those of runs of x stand for both forms of runs.
// The costs of a part of bands and of ragged tiles were measured on gangs of 32, and stand for all.
// Those of gangs of 1 and 2 come from four matrices on an Intel Xeon.
#pragma once
#include <cstdint>
#include <string_view>

#include "generator/arrays/fragment.h"
#include "generator/facts/store.h"
#include "generator/layouts/layout_kind.h"

namespace alphasparse {

/// The cost of the work of so many lanes of a gang or of a row; 0: none work together. `rows` name
/// rows of the table (Reads::cost_rows). A total without a cost is a fault.
TotalCost shared_cost(std::string_view rows, int lanes);

/// The cost of the branch's total, for each of its `cpu_parts`; `reads` are those of its kind.
TotalCost cpu_cost(const Store& store, const Reads& reads);

/// The same where a column of A has `value_bytes` of X. From 32 bytes on, a lane's sum fills a
/// register by itself. The costs are then least squares over 44 designs on 6 matrices, with 2, 8
/// and 32 columns in float64, on one thread of an Intel Xeon with AVX-512. In geometric mean, the
/// first design takes 1.10 times the best of them with 8 columns and 1.03 times with 32.
TotalCost cpu_cost(const Store& store, const Reads& reads, int value_bytes);

/// Gangs where these are warps of lanes with rows of their own. Else threads, or rows where threads
/// are not counted.
std::int64_t cpu_parts(const Store& store);

}  // namespace alphasparse
