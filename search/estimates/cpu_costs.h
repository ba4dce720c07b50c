// cpu_costs: the time that a design's entries cost one thread of a CPU, by the method that adds
// them up.
//
// Least squares of log(time) over 3,700 kernels that searches measured on 26 matrices of up to 3e6
// non-zeros. They ran in float32, on one thread of an AMD EPYC with AVX-512, in its caches; designs
// with packed arrays were left out. Half the times are within 12 %. They tell an order, not a time.
// The costs of runs of x come from another 42 kernels on 7 matrices; they stand for both forms.
// To check it, the costs came from 25 of the matrices. In geometric mean, the first of some 50
// designs then takes 1.09 times the best of the 26th, and the fastest of the first five 1.01 times.
#pragma once
#include <cstdint>
#include <vector>

#include "generator/arrays/kernel.h"
#include "generator/facts/store.h"

namespace alphasparse {

/// The cost of a part of a matrix, in ns on one thread: in proportion to the part, without the time
/// of memory.
struct CpuCost {
  double entries_ns = 0;
  double units_ns = 0;  ///< gangs, or threads and rows where none work together
};

CpuCost cpu_cost(const std::vector<Store>& branches);

/// The time that reading so many bytes adds, in ns: nothing where caches of `cache_bytes` hold
/// them, else all of them come from memory.
double cpu_read_ns(double bytes, std::int64_t cache_bytes);

}  // namespace alphasparse
