// baseline_trials: the vendor's algorithms - on a CPU all peers - tried before the designs of a
// search, within its time or outside it.
#pragma once
#include <atomic>
#include <functional>

#include "search/trial/baseline_share.h"
#include "search/trial/trial.h"

namespace alphasparse {

/// Tries those of `wanted` that `known` does not hold, or holds as missing, as far as their share
/// of the time goes. The first that has a time may take longer, until `end`. `record` is called
/// with each outcome, which then is in `known`, until it says no more.
void try_baselines(Trial& trial, const std::vector<Baseline>& wanted, BaselineShare& share,
                   Outcomes& known, const std::function<bool(const Measurement&)>& record,
                   const Deadline& end);

/// All of them on this matrix, outside any search, as far as the seconds go. Without times that are
/// measured, none.
Outcomes measure_baselines(const Matrix& matrix, Device& device, const TuneOptions& options,
                           double seconds, const std::atomic<bool>& stop);

/// Replaces the known outcomes of those that do not take any values by that reason, so that they
/// are neither tried nor the best.
void prune_for_varying_values(const std::vector<Baseline>& all, Outcomes& known);

}  // namespace alphasparse
