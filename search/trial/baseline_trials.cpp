#include "search/trial/baseline_trials.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "runtime/device/baseline_kernels.h"
#include "runtime/device/baseline_library.h"
#include "runtime/system/stopwatch.h"

namespace alphasparse {

namespace {

bool is_known(const Baseline& algorithm, const Outcomes& known) {
  const auto found = known.find(algorithm.name);
  return found != known.end() && find_missing(algorithm, found->second.reason).empty();
}

}  // namespace

void try_baselines(Trial& trial, const std::vector<Baseline>& wanted, BaselineShare& share,
                   Outcomes& known, const std::function<bool(const Measurement&)>& record,
                   const Deadline& end) {
  std::map<std::string_view, Failure> missing;  // libraries, or parts of them
  bool is_disturbed = false;                    // one ran, on a machine that others use
  for (const Baseline& algorithm : wanted) {
    const std::string name(algorithm.name);
    if (end.over() || is_known(algorithm, known)) continue;
    Deadline deadline = end;
    Measurement outcome;
    outcome.design = name;
    auto found = missing.find(algorithm.library);
    if (found == missing.end()) found = missing.find(algorithm.part);
    if (found != missing.end()) {
      fail(outcome, found->second);
    } else {
      if (!share.has_room(known)) return;
      if (find_best(known) || is_disturbed)
        deadline.time = Deadline::after(std::min(share.seconds_left(known), end.seconds_left()));
      const Stopwatch clock;
      outcome = trial.run(Subject(algorithm), deadline);
      share.spent(clock.seconds());
      // The same event may have stopped it.
      if (deadline.over() && outcome.status != Status::ok) return;
      const std::string_view needed = find_missing(algorithm, outcome.reason);
      if (!needed.empty()) missing[needed] = {outcome.status, outcome.reason};
    }
    outcome.created_at = utc_now();
    const bool goes_on = record(outcome);
    is_disturbed = is_disturbed || outcome.unsettled;
    if (outcome.unsettled) continue;
    known.insert_or_assign(name, std::move(outcome));
    if (!goes_on) return;
  }
}

Outcomes measure_baselines(const Matrix& matrix, Device& device, const TuneOptions& options,
                           double seconds, const std::atomic<bool>& stop) {
  Outcomes known;
  if (device.info().kind != TimeKind::measured) return known;
  Trial trial(matrix, device, options);
  BaselineShare share(seconds, device.info().target);
  const auto goes_on = [](const Measurement&) { return true; };
  try_baselines(trial, baselines(device.info(), options.vectors), share, known, goes_on,
                {{}, &stop});
  return known;
}

void prune_for_varying_values(const std::vector<Baseline>& all, Outcomes& known) {
  for (const Baseline& algorithm : all) {
    if (algorithm.takes_any_values()) continue;
    Measurement pruned;
    pruned.design = algorithm.name;
    fail(pruned, {Status::pruned, triangle_forbidden});
    known.insert_or_assign(pruned.design, std::move(pruned));
  }
}

}  // namespace alphasparse
