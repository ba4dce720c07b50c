// trial_loop: tries one design after another within a budget and writes each outcome down at once.
//
// Designs are proposed in batches, so that many can be built, compiled and, where times are
// modelled, run at once. It knows neither matrices nor devices: functions are handed in that choose
// the next designs, try them and write them down. So any strategy is a function from outcomes to
// designs.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/database/database.h"
#include "runtime/system/deadline.h"
#include "search/space/known_designs.h"

namespace alphasparse {

/// The state of the loop for a display.
struct Progress {
  double seconds = 0;  ///< of this run so far
  double seconds_budget = 0;
  std::int64_t trials = 0;          ///< that count, of this run and of those before
  std::int64_t failures = 0;        ///< trials without a verified result
  std::string trying;               ///< the design that is being tried
  std::string part = {};            ///< of the call: "baselines", "search", "last comparison"
  std::string of_what = {};         ///< the sample that it is tried on; empty: the matrix
  std::optional<Measurement> best;  ///< the fastest verified so far
  std::optional<double> baseline_us = std::nullopt;  ///< of the best baseline so far
};

using ProgressCallback = std::function<void(const Progress&)>;

struct TrialLoop {
  /// Designs to try next, at most `count`, in view of the known outcomes, none of which is in them;
  /// none: all has been tried.
  std::function<Designs(const Outcomes&, std::size_t count)> propose;

  /// Tries designs and calls `found` in this thread as soon as one's outcome is known. Designs that
  /// time did not allow are left out. So are designs that are not `wanted` any more. It may ask for
  /// that in this thread before each one: an earlier one may have shown that it must not be tried.
  std::function<void(const Designs& designs, const Deadline&,
                     const std::function<void(Measurement)>& found,
                     const std::function<bool(const CanonicalDesign& design)>& wanted)>
      try_designs;
  std::size_t batch = 1;  ///< designs that are tried in view of the same outcomes
  std::function<void(const Measurement&)> record;
  ProgressCallback progress;                ///< may be empty
  const std::atomic<bool>* stop = nullptr;  ///< set from outside; null: never

  double seconds = 0;                  ///< left to spend; may be negative
  std::optional<std::int64_t> trials;  ///< left to spend, may be negative; none: no limit
};

struct LoopEnd {
  bool interrupted = false;
  std::int64_t trials = 0;  ///< that this loop added, counted ones, and those that were set aside
  std::vector<Measurement> set_aside = {};  ///< unsettled, in the order of their trials
  double seconds = 0;
};

/// Runs until nothing is left to propose, the budget is spent, or `stop` is set. Where nothing is
/// verified yet, at least one new design is tried with any budget. Outcomes are added to
/// `outcomes`. A trial may overrun the budget by a tenth of it, and by a second or a fifth where it
/// is small. The first that is to be verified may overrun it by as much as it takes. A trial that
/// fails after that, or while `stop` is set, is forgotten, since the stop may have broken it. An
/// unsettled outcome is set aside: it is not recorded, and no more among the outcomes when the loop
/// ends. Every design that was proposed is added to `known`.
LoopEnd run_trials(const TrialLoop& loop, Outcomes& outcomes, KnownDesigns& known);

}  // namespace alphasparse
