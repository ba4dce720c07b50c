// search_answers: the second half of search_run.h - whom the best is held against, and what a
// search answers.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "operators/designer.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/system/stopwatch.h"
#include "search/explaining/pfs.h"
#include "search/problem.h"
#include "search/search_run.h"
#include "search/trial/baseline_figures.h"
#include "search/trial/baseline_trials.h"
#include "search/trial/finals.h"

namespace alphasparse {

namespace {

constexpr double prepared_most = 2;  // times the finals' own time, for the first of them
constexpr int rounds_on_cpus = 400;  // of finals: others may disturb each of them

/// On a CPU formats lie in the memory that we have too, each with what puts other values into it.
double finals_bytes_max(Target target, std::int64_t csr_bytes) {
  constexpr double csr_ratio = 3, always = 1e9;
  return target == Target::cpu ? std::max(always, csr_ratio * static_cast<double>(csr_bytes))
                               : HUGE_VAL;
}

}  // namespace

std::optional<Measurement> SearchRun::best_for_any_values() {
  Outcomes others = result.outcomes;
  while (const Measurement* const best = best_of(others)) {
    if (trial.takes_any_values(design_of(*best))) return *best;
    others.erase(others.find(best->design));
  }
  return std::nullopt;
}

std::vector<std::string> SearchRun::answers() {
  std::vector<std::string> designs = {best_of(result.outcomes)->design};
  if (!is_measured()) return designs;
  if (const auto any = best_for_any_values()) designs.push_back(any->design);
  return designs;
}

void SearchRun::measure_baselines() {
  if (!is_measured()) return;
  if (database) vendor_run = database->begin_run(vendor_problem(problem), options.effort);
  baseline_share = BaselineShare(budget.for_baselines(), result.device.target);
  for (const auto& [name, outcome] : options.baseline_outcomes) {
    record(vendor_run, outcome);
    result.baseline_outcomes.insert_or_assign(name, outcome);
  }
  const auto keep_one = [&](const Measurement& outcome) {
    if (!outcome.unsettled) record(vendor_run, outcome);
    return !result.broken;
  };
  try {
    try_baselines(trial, result.device.target, baseline_share, result.baseline_outcomes, keep_one,
                  stop);
  } catch (const Error& error) {  // the device does not work any more
    result.broken = error;
  }
}

Subjects SearchRun::final_order() {
  Subjects order;
  const auto add = [&](const std::string& name) {
    const auto is_it = [&](const Subject& subject) { return subject.name() == name; };
    if (std::any_of(order.begin(), order.end(), is_it)) return;
    const Baseline* const baseline = find_baseline(name);
    order.push_back(baseline ? Subject(*baseline) : Subject(*designs.find(name)));
  };
  const std::vector<std::string> ours = finalists(result.outcomes);
  if (ours.empty()) return order;
  add(ours.front());
  if (const Measurement* const before = winner_in_turn(result.outcomes)) add(before->design);
  for (const std::string& name : baseline_share.finalists(result.baseline_outcomes)) add(name);
  if (const auto any = best_for_any_values()) add(any->design);
  for (const std::string& design : ours) add(design);
  if (const Measurement* const named = best_named(result.outcomes).outcome) add(named->design);
  return order;
}

void SearchRun::hold_finals() {
  if (!is_measured() || result.interrupted || result.broken || stop) return;
  const Subjects subjects = final_order();
  if (subjects.empty()) return;
  const double seconds = budget.for_comparison();
  FinalPlan plan;
  plan.bytes_max = finals_bytes_max(result.device.target, result.csr_bytes);
  if (result.device.target == Target::cpu) plan.rounds_max = rounds_on_cpus;
  trial.wait_with({{}, &stop});
  const auto not_held = [](const std::string& why) {
    spdlog::warn("the best were not measured in turn, their times are those of their trials: {}",
                 why);
  };
  const Measurement& best = *best_of(result.outcomes);
  const double preparing = 1e-6 * preparation_us(best);
  if (preparing > prepared_most * std::max(1.0, seconds)) {
    return not_held(fmt::format("preparing the first would take {:.0f} s, there are {:.0f}",
                                preparing, seconds));
  }
  try {
    const Stopwatch clock;
    auto measured = run_finals(trial, subjects, plan, seconds, stop);
    if (!measured) {
      result.disturbed = result.disturbed || measured.reason() == rounds_disturbed;
      return not_held(measured.reason());
    }
    take_finals(*measured, measured->front().outcome.created_at);
    challenge_winner(plan, std::max(0.0, seconds - clock.seconds()));
  } catch (const Error& error) {
    not_held(error.what());
    try {
      trial.check({{}, &stop});
    } catch (const Error& broken) {
      result.broken = broken;
    }
  }
}

void SearchRun::challenge_winner(const FinalPlan& plan, double seconds) {
  constexpr std::size_t challengers_max = 7;
  constexpr int times_most = 40;
  for (int times = 0; times < times_most && !stop && !result.broken; ++times) {
    const Measurement* const winner = winner_in_turn(result.outcomes);
    if (winner == nullptr) return;
    Subjects subjects = {design_of(*winner)};
    for (const Measurement* const outcome : by_time(result.outcomes)) {
      const bool is_faster = outcome->timing->time_us < winner->timing->time_us;
      if (!is_faster || subjects.size() > challengers_max) break;
      if (outcome->timing->rounds == 0 && outcome->created_at >= began_at)
        subjects.push_back(design_of(*outcome));
    }
    if (subjects.size() == 1) return;
    const std::string when = winner->created_at;
    auto measured = run_finals(trial, subjects, plan, seconds, stop);
    seconds = 0;  // the least rounds from now on
    if (!measured || measured->size() < 2) return;
    measured->erase(measured->begin());  // whose time stands
    take_finals(*measured, when);
  }
}

void SearchRun::take_finals(std::vector<Finalist>& finals, const std::string& when) {
  for (Finalist& finalist : finals) {
    Measurement& measurement = finalist.outcome;
    measurement.created_at = when;
    const bool is_baseline = find_baseline(measurement.design) != nullptr;
    Outcomes& outcomes = is_baseline ? result.baseline_outcomes : result.outcomes;
    // Finals are no trial: its cost stays known.
    const Measurement& before = outcomes[measurement.design];
    measurement.trial_us = before.trial_us;
    measurement.bound_us = before.bound_us;
    if (is_baseline) {
      measurement = standing_of_baselines(result.device.target, before, measurement);
    }
    record(is_baseline ? vendor_run : run, measurement);
    outcomes.insert_or_assign(measurement.design, measurement);
  }
}

bool SearchRun::begin_explaining() {
  if (!database || !run.empty()) return true;
  try {
    const Effort none{0, 0, options.effort.seed};
    run = database->begin_run(problem, none);
    if (is_measured() && vendor_run.empty())
      vendor_run = database->begin_run(vendor_problem(problem), none);
  } catch (const Error& error) {
    result.broken = error;
  }
  return !result.broken;
}

void SearchRun::explain() {
  if (result.broken || !best_of(result.outcomes)) return;
  const Stopwatch clock;
  const std::int64_t trials_before = result.trials_now;
  const auto try_designs = [&](const Designs& reverted) {
    if (result.broken || !begin_explaining()) return;
    const std::vector<std::string> before = answers();
    Allowance allowance{budget.left_of_part()};
    if (budget.limits_trials()) allowance.trials = static_cast<std::int64_t>(reverted.size());
    trial.spare(reverted);  // their times are asked for, however long they are
    search(reverted, nullptr, allowance);
    for (const CanonicalDesign& design : reverted) {
      if (result.outcomes.contains(design.text()))
        result.origins.try_emplace(design.text(), "explain");
    }
    if (answers() == before) return;
    complete_counterparts();
    hold_finals();
  };
  Designer designer(matrix, result.device.target);
  SearchLimits limits;
  limits.unmodelled = is_measured();
  limits.values_vary = options.values_vary;
  const Measurement* const named = best_named(result.outcomes).outcome;
  const Deadline bounded{Deadline::after(budget.left_of_part()), &stop};
  result.explanation = alphasparse::explain({designer, features(), limits}, designs,
                                            named ? &design_of(*named) : nullptr, result.outcomes,
                                            try_designs, bounded);
  result.trials_explaining = result.trials_now - trials_before;
  finish(clock.seconds(), result.trials_explaining);
  const Deadline deadline{{}, &stop};
  tell_limits(design_of(*best_of(result.outcomes)), deadline);
  if (named) tell_limits(design_of(*named), deadline);
}

void SearchRun::tell_limits(const CanonicalDesign& design, const Deadline& deadline) {
  Measurement& outcome = result.outcomes.find(design.text())->second;
  if (is_measured() || !outcome.timing || outcome.timing->limits || deadline.over()) return;
  trial.wait_with(deadline);
  try {
    Measurement facts;
    auto ready = trial.load(design, facts);
    const auto timing = ready ? trial.time_shortly(**ready) : Result<Timing>(ready.failure());
    if (timing) outcome.timing->limits = timing->limits;
  } catch (const Error& error) {
    spdlog::warn("the limits of {} are not known: {}", design.text(), error.what());
  }
}

void SearchRun::finish(double seconds, std::int64_t trials) {
  result.interrupted = result.interrupted || stop;  // whatever it was doing then
  if (!database || run.empty()) return;
  const std::string ended = std::exchange(run, "");
  const bool whole = result.skipped == 0 && result.disturbed_designs == 0 && !result.disturbed;
  const bool done = whole && !result.interrupted && !result.broken && best_of(result.outcomes);
  try {
    const RunState state = done ? RunState::complete : RunState::interrupted;
    database->finish(ended, state, seconds, trials);
    if (!vendor_run.empty()) database->finish(vendor_run, state, 0, 0);
  } catch (const Error& error) {
    if (!result.broken) result.broken = error;
  }
}

void SearchRun::conclude() {
  result.interrupted = result.interrupted || stop;
  result.disturbed = result.disturbed || result.disturbed_designs > 0;
  if (const Measurement* best = best_of(result.outcomes))
    result.winner = *best;
  else if (fastest_disturbed)
    result.winner = fastest_disturbed;
  for (const Measurement* const outcome : by_time(result.outcomes)) {
    if (result.least_us || outcome->created_at < began_at) continue;
    result.least_us = outcome->timing->time_us;
  }
  result.any_values = best_for_any_values();
  const auto [pfs, name] = best_named(result.outcomes);
  if (pfs) result.pfs = *pfs;
  result.pfs_name = name;
  const Target target = result.device.target;
  if (const auto* vendor = best_baseline(target, result.baseline_outcomes)) result.vendor = *vendor;
  result.trials = counted_trials(result.outcomes);
}

}  // namespace alphasparse
