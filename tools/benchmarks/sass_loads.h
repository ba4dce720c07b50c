// sass_loads: what a kernel's machine code says of its loads.
//
// A GPU issues the instructions of a thread in their order and waits at the first one that reads
// the result of a load which is not there yet. So the loads between two such waits are in flight
// together:
//
//   LDG R2, [R4]   LDG R3, [R6]   LDG R8, [R4+4]   FFMA R9, R2, R3, R9   FFMA R9, R8, R5, R9
//
// waits once, behind three loads: [3]. Loads that were issued ahead of a wait count as arrived with
// it, as memory answers about in order.
#pragma once
#include <vector>

#include "tools/benchmarks/sass.h"

namespace alphasparse {

/// The instructions [first, end) of a kernel.
struct SassRange {
  std::size_t first = 0;
  std::size_t end = 0;
  bool repeats = false;  ///< a loop

  bool operator==(const SassRange&) const = default;
};

/// The loop that loads most, among the backward branches without another such loop inside; the
/// whole kernel where no loop loads.
SassRange main_loop(const SassKernel& kernel);

/// How a range loads. Branches inside are not followed: every instruction counts as executed once,
/// in the order of the text.
struct SassLoads {
  int instructions = 0;
  int loads = 0;           ///< from global memory, whatever their width
  int constant_loads = 0;  ///< of these, by the read-only path: LDG.CONSTANT
  int local_accesses = 0;  ///< spills and arrays of a thread: LDL and STL
  /// Products: FFMA and DFMA of which a factor is a loaded value, FMUL and DMUL of two. A moved or
  /// converted value is the same value.
  int nonzeros = 0;
  std::vector<int> in_flight;    ///< loads issued up to each wait; a loop's in its steady state
  int ahead_of_the_product = 0;  ///< loads issued before the first of `nonzeros`, from the top
};

SassLoads loads_of(const SassKernel& kernel, const SassRange& range);

}  // namespace alphasparse
