// baseline_figures: which time stands for an algorithm of the vendor, which of them is the best,
// and of how many it is the best.
//
// On a GPU the least time stands, of the algorithm's own trial and of the finals. Example: alone
// 11.0 us, in turn with ours 15.8 us: 11.0. Users get the time that it takes alone. Clocks are
// watched, so no trial is short by luck. Our times are those in turn: the ratio favours the vendor.
//
// On a CPU the time in turn stands. Clocks, other programs and the place of pages in memory change
// times from minute to minute by tens of per cent there. A peer's trial may be of a quiet moment
// that ours never met, and only times taken in turn make a fair ratio.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/target.h"
#include "runtime/database/measurement.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/device/baseline_library.h"

namespace alphasparse {

/// The measurement that stands, of one that was taken alone and one in turn with others. It is the
/// latter where it failed, or where the target says so. Else it is the shorter, which then notes
/// the other.
Measurement standing_of_baselines(Target target, const Measurement& alone,
                                  const Measurement& in_turn);

/// How many of the vendor's algorithms the best is the best of. One that its own rule refuses, or
/// that fails, was tried.
struct BaselineCount {
  std::int64_t tried = 0;
  std::int64_t missing = 0;  ///< their library is not there
  std::int64_t all = 0;      ///< of so many vectors on such a device

  /// The baselines that were not reached.
  std::int64_t unreached() const { return all - tried - missing; }
};

BaselineCount count_baselines(const std::vector<Baseline>& all,
                              const std::vector<const Measurement*>& outcomes);

/// The facts that a library stated about itself to any of these; empty where it never did.
LibraryFacts facts_of_library(std::string_view library,
                              const std::vector<const Measurement*>& outcomes);

}  // namespace alphasparse
