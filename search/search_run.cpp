#include "search/search_run.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "operators/catalogue.h"
#include "operators/compact_passes.h"
#include "operators/targets.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/system/processes/environment.h"
#include "runtime/system/stopwatch.h"
#include "search/explaining/pfs.h"
#include "search/fidelity/prior.h"
#include "search/problem.h"

namespace alphasparse {

namespace {

constexpr std::size_t counterparts_of = 3;  // of the fastest designs
constexpr double seconds_again = 0.5;       // at least, for what was disturbed

}  // namespace

std::int64_t counted_trials(const Outcomes& outcomes) {
  return std::count_if(outcomes.begin(), outcomes.end(),
                       [](const auto& entry) { return counts_as_trial(entry.second); });
}

namespace {

/// Without names that are none of the vendor's algorithms.
Outcomes of_vendors(Outcomes outcomes) {
  std::erase_if(outcomes, [](const auto& entry) { return !find_baseline(entry.first); });
  return outcomes;
}

}  // namespace

Outcomes SearchRun::of_designs(Outcomes outcomes) {
  std::erase_if(outcomes, [&](const auto& entry) {
    const CanonicalDesign* const design = designs.find(entry.first);
    return !design || *design != entry.first || target_of(design->tree()) != result.device.target;
  });
  return outcomes;
}

void SearchRun::recall() {
  if (!database || options.fresh) return;
  adopt_unknown();
  if (is_measured()) {
    result.baseline_outcomes =
        of_vendors(database->outcomes(vendor_problem(problem), Origin::here));
  }
  result.outcomes = of_designs(database->outcomes(problem, Origin::here));
  proposals = of_designs(database->outcomes(problem, Origin::elsewhere));
  proposals.merge(of_designs(database->outcomes(problem, Origin::unknown)));
  if (result.outcomes.empty()) return;
  drop_forbidden();
  result.tier = Tier::resumed;
  const Effort spent = database->spent(problem, options.effort.seed);
  seconds_before = spent.seconds;
  budget.resume(spent);
}

void SearchRun::adopt_unknown() {
  const Outcomes unknown = of_designs(database->outcomes(problem, Origin::unknown));
  const Measurement* const best = best_of(unknown);
  if (!best || stop) return;
  const Measurement outcome = trial.run(design_of(*best), {{}, &stop});
  if (outcome.status != Status::ok || !outcome.verified) return;
  const std::string own = database->begin_run(problem, {0, 0, options.effort.seed});
  database->record(own, outcome);
  database->finish(own, RunState::complete, 0, 0);
  database->adopt(problem);
  if (is_measured()) database->adopt(vendor_problem(problem));
}

bool SearchRun::is_answered() {
  if (result.tier != Tier::resumed) return false;
  return best_of(result.outcomes) && database->is_complete(problem, options.effort_enough());
}

void SearchRun::drop_forbidden() {
  while (const Measurement* const best = best_of(result.outcomes)) {
    const std::optional<Failure> forbidden = trial.why_not_answer(design_of(*best));
    if (!forbidden) return;
    fail(result.outcomes.find(best->design)->second, *forbidden);
  }
}

void SearchRun::search(Designs first, Strategies* ways, const Allowance& allowance) {
  TrialLoop loop;
  Designs unlearnt;  // the last batch
  // In the order of the batch, whichever was done first: chance has no part in what is learnt.
  const auto learn = [&] {
    for (const CanonicalDesign& design : unlearnt) {
      const auto known = result.outcomes.find(design.text());
      if (known != result.outcomes.end()) ways->learn(design, known->second);
    }
    unlearnt.clear();
  };
  loop.propose = [&](const Outcomes& outcomes, std::size_t count) -> Designs {
    if (result.broken) return {};
    if (ways) {
      learn();
      Designs next = counterparts(count);
      if (next.size() < count && !ways->is_exhausted()) {
        unlearnt = proposed(*ways, count - next.size());
        next.insert(next.end(), unlearnt.begin(), unlearnt.end());
      }
      return next;
    }
    std::erase_if(first,
                  [&](const CanonicalDesign& design) { return outcomes.contains(design.text()); });
    const std::size_t now = std::min(count, first.size());
    return {first.begin(), first.begin() + static_cast<std::ptrdiff_t>(now)};
  };
  loop.try_designs = [&](const Designs& next, const Deadline& deadline,
                         const std::function<void(Measurement)>& found,
                         const std::function<bool(const CanonicalDesign&)>& wanted) {
    const Measurement* const best = best_of(result.outcomes);
    const Stopwatch clock;
    trial.run(Subjects(next.begin(), next.end()), deadline,
              best && best->timing ? best->timing->time_us : 0, found,
              [&](const Subject& subject) { return wanted(*subject.design()); });
    // Modelled times are the same again, and so is a search by them with as many workers.
    if (ways && is_measured()) ways->portfolio().spent(clock.seconds());
  };
  loop.batch = trial.batch_size();
  loop.record = [&](const Measurement& measurement) {
    trace(measurement);
    record(run, measurement);
  };
  loop.progress = progress;
  loop.stop = &stop;
  loop.seconds = std::max(0.0, allowance.seconds);
  loop.trials = allowance.trials;
  const std::int64_t trials_before = counted_trials(result.outcomes);
  const Stopwatch clock;
  const auto run_loop = [&] {
    const LoopEnd end = run_trials(loop, result.outcomes, designs);
    budget.spend_trials(end.trials);
    result.interrupted = end.interrupted;
    return set_aside(end.set_aside);
  };
  try {
    Designs disturbed = run_loop();
    if (ways) learn();
    if (!disturbed.empty() && !result.interrupted && !result.broken) {
      // Once more: they have had their trials.
      ways = nullptr;
      first = std::move(disturbed);
      loop.trials = static_cast<std::int64_t>(first.size());
      loop.seconds = std::max(seconds_again, loop.seconds - clock.seconds());
      budget.spend_trials(-*loop.trials);
      disturbed = run_loop();
    }
    result.disturbed_designs += static_cast<std::int64_t>(disturbed.size());
  } catch (const Error& error) {  // such as no room for temporary files
    result.broken = error;
  }
  result.trials_now += counted_trials(result.outcomes) - trials_before;
}

Designs SearchRun::set_aside(const std::vector<Measurement>& outcomes) {
  Designs disturbed;
  for (const Measurement& outcome : outcomes) {
    if (!outcome.timing) {
      if (result.skipped++ == 0) result.skipped_why = outcome.reason;
      continue;
    }
    disturbed.push_back(design_of(outcome));
    const double time_us = outcome.timing->time_us;
    if (!fastest_disturbed || time_us < fastest_disturbed->timing->time_us)
      fastest_disturbed = outcome;
  }
  return disturbed;
}

Designs SearchRun::counterparts(std::size_t count) {
  Designs wanted;
  if (!is_measured() || options.values_vary) return wanted;
  std::size_t place = 0;
  for (const Measurement* const outcome : newest_by_time(result.outcomes)) {
    if (place++ == counterparts_of || wanted.size() == count) break;
    const CanonicalDesign& fast = design_of(*outcome);
    if (trial.takes_any_values(fast)) continue;
    auto design = CanonicalDesign::spelled(with_any_values(fast.tree()));
    if (!result.outcomes.contains(design.text())) wanted.push_back(std::move(design));
  }
  return wanted;
}

void SearchRun::complete_counterparts() {
  if (result.interrupted || result.broken || stop) return;
  if (!budget.has_trials()) return;
  const Designs wanted = counterparts(1);
  if (wanted.empty()) return;
  Allowance allowance = budget.for_trials();
  allowance.seconds = budget.for_counterpart();
  // It takes about as long as the winner did, and what it builds is built to the end.
  const double seconds = std::max(allowance.seconds, budget.seconds_left());
  if (best_of(result.outcomes)->trial_us.value_or(0) > 1e6 * seconds) return;
  search(wanted, nullptr, allowance);
}

Designs SearchRun::proposed(Strategies& ways, std::size_t count) const {
  try {
    return ways.portfolio().propose(result.outcomes, count);
  } catch (const std::bad_alloc&) {
    spdlog::warn("the search ends: this machine's memory is too small for further designs");
    return {};
  }
}

const Features& SearchRun::features() {
  if (!known_features) known_features = features_of(matrix);
  return *known_features;
}

void SearchRun::keep_features() {
  keep("features of the matrix are",
       [&] { database->keep_features(problem.matrix, stored_features(features())); });
}

WarmStart SearchRun::recall_elsewhere() {
  if (!database || options.fresh) return {};
  try {
    WarmStart warm = warm_start(*database, problem, features());
    result.warm_matrices = warm.matrix_names();
    if (result.tier == Tier::none && !warm.designs.empty())
      result.tier = warm.is_elsewhere ? Tier::elsewhere : Tier::nearest;
    return warm;
  } catch (const Error& error) {
    spdlog::warn("nothing is known from elsewhere: {}", error.what());
    return {};
  }
}

ExpectedTimes SearchRun::expected(const Designs& of, const Deadline& deadline) const {
  if (sampled_us.empty()) {
    return expected_times(matrix, of, {result.device, options.dtype, options.regime}, deadline);
  }
  ExpectedTimes times;
  for (const CanonicalDesign& design : of) {
    const auto known = sampled_us.find(design);
    times[design] =
        known == sampled_us.end() ? std::numeric_limits<double>::infinity() : known->second;
  }
  return times;
}

void SearchRun::search_at_once(Strategies& ways) {
  const Deadline deadline{{}, &stop};
  while (!stop && !result.broken) {
    const Designs next = proposed(ways, 1);
    if (next.empty()) return;
    designs.add(next.front());
    trial.run(Subjects{next.front()}, deadline, 0, [&](Measurement outcome) {
      if (outcome.unsettled) {
        if (set_aside({outcome}).empty()) {  // none follows that could not meet the same
          result.broken = environment_fault(outcome.reason);
          return;
        }
        ++result.disturbed_designs;
        outcome.unsettled = false;  // the first that is right is the answer, whatever it takes
        outcome.timing.reset();
        outcome.reason = "its time was disturbed";
      }
      trace(outcome);
      record(run, outcome);
      result.outcomes.insert_or_assign(outcome.design, outcome);
      ways.learn(next.front(), outcome);
      result.trials_now += counts_as_trial(outcome);
    });
    if (best_of(result.outcomes)) return;
  }
  result.interrupted = stop;
}

void SearchRun::search_all(const Designs& first, bool promoted) {
  if (stop) {
    result.interrupted = true;
    return;
  }
  if (!is_sample) keep_features();
  if (promoted && matrix.nnz() > large_nnz) return search(first, nullptr, budget.for_trials());
  StrategiesOptions how{options.effort.seed, options.dtype, options.values_vary, is_measured()};
  how.target = result.device.target;
  how.is_team = result.device.threads > 1;
  how.features = &features();
  if (!promoted) how.warm = recall_elsewhere();
  const Deadline deadline = budget.deadline(stop);
  how.deadline = &deadline;
  how.expected = [&](const Designs& of) { return expected(of, deadline); };
  Strategies ways(matrix, first, how);
  ways.learn(result.outcomes, designs);
  if (budget.is_none()) try {
      search_at_once(ways);
    } catch (const Error& error) {
      result.broken = error;
    }
  else
    search({}, &ways, budget.for_trials());
  result.ways = ways.portfolio().records();
  result.model = ways.fine_state();
  result.bans = ways.bans();
  for (const auto& [design, outcome] : result.outcomes) {
    const std::string way = ways.portfolio().origin_of(design);
    if (!way.empty()) result.origins[design] = way;
  }
}

void SearchRun::trace(const Measurement& measurement) {
  if (!counts_as_trial(measurement)) return;
  const bool timed = is_timed(measurement);
  result.trace.push_back(
      {measurement.design, timed ? std::optional(measurement.timing->time_us) : std::nullopt});
}

void SearchRun::record(const std::string& of_run, const Measurement& measurement) {
  if (!database) return;
  try {
    database->record(of_run, measurement);
  } catch (const Error& error) {
    result.broken = error;
  }
}

bool SearchRun::search_same_pattern() {
  if (!database || options.fresh || result.tier != Tier::none) return false;
  const std::optional<Problem> other = database->same_pattern(problem, options.effort_enough());
  if (!other) return false;
  if (!search_best_of(of_designs(database->outcomes(*other)))) return false;
  result.tier = Tier::pattern;
  return true;
}

bool SearchRun::search_proposals() {
  if (!search_best_of(proposals)) return false;
  if (!database->is_complete(problem, options.effort_enough(), Origin::elsewhere)) return false;
  if (result.tier == Tier::none) result.tier = Tier::proposed;
  return true;
}

bool SearchRun::search_best_of(const Outcomes& outcomes) {
  Designs wanted;
  if (const Measurement* best = best_of(outcomes)) wanted.push_back(design_of(*best));
  const Measurement* const named = best_named(outcomes).outcome;
  if (named && (wanted.empty() || wanted.front() != named->design)) {
    wanted.push_back(design_of(*named));
  }
  if (wanted.empty()) return false;
  search(wanted, nullptr, budget.for_trials());
  const auto first = result.outcomes.find(wanted.front().text());
  if (result.broken) return true;
  return first != result.outcomes.end() && first->second.status == Status::ok;
}

}  // namespace alphasparse
