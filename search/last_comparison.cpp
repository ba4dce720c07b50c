#include "search/last_comparison.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/device/baseline_kernels.h"
#include "runtime/system/stopwatch.h"
#include "search/explaining/pfs.h"
#include "search/trial/baseline_figures.h"
#include "search/trial/baseline_trials.h"

namespace alphasparse {

namespace {

constexpr double prepared_most = 2;  // times the comparison's own time, for the first of them
constexpr int rounds_on_cpus = 400;  // others may disturb each of them

/// A CPU's formats lie in our own memory too, each with the data that put other values into it.
double finals_bytes_max(Target target, std::int64_t csr_bytes) {
  constexpr double csr_ratio = 2.5, always = 4e8;
  return target == Target::cpu ? std::max(always, csr_ratio * static_cast<double>(csr_bytes))
                               : HUGE_VAL;
}

void report_not_held(const std::string& reason) {
  spdlog::warn("the best were not measured in turn, their times are those of their trials: {}",
               reason);
}

}  // namespace

std::vector<std::string> LastComparison::answers() {
  std::vector<std::string> designs = {find_best(search_.result.outcomes)->design};
  if (!search_.setting.is_measured()) return designs;
  if (const auto any = search_.best_for_any_values()) designs.push_back(any->design);
  return designs;
}

void LastComparison::measure_baselines() {
  if (!search_.setting.is_measured()) return;
  TuneResult& result = search_.result;
  const TuneOptions& options = search_.setting.options;
  search_.store.begin_baselines(options.effort);
  share_ = BaselineShare(search_.budget.allow_baselines(), result.device.target);
  for (const auto& [name, outcome] : options.baseline_outcomes) {
    search_.store.record_baseline(outcome);
    result.baseline_outcomes.insert_or_assign(name, outcome);
  }
  const auto keep_one = [&](const Measurement& outcome) {
    if (!outcome.unsettled) search_.store.record_baseline(outcome);
    return !result.broken;
  };
  if (search_.budget.seconds_left() <= 0) return;  // a compilation of ours is next
  try {
    try_baselines(search_.trial, result.algorithms(), share_, result.baseline_outcomes, keep_one,
                  search_.budget.deadline(search_.setting.stop));
  } catch (const Error& error) {  // the device does not work any more
    result.broken = error;
  }
}

/// The best comes first, then its rivals: the winner of comparisons before these, the vendor's best
/// and the best for any values. Then come the others. Where the time ends earlier, only the first
/// ones have met.
Subjects LastComparison::order() {
  const Outcomes& outcomes = search_.result.outcomes;
  Subjects order;
  const auto add = [&](const std::string& name) {
    const auto is_it = [&](const Subject& subject) { return subject.name() == name; };
    if (std::any_of(order.begin(), order.end(), is_it)) return;
    const Baseline* const baseline = find_baseline(name);
    order.push_back(baseline ? Subject(*baseline) : Subject(*search_.designs.find(name)));
  };
  const std::vector<std::string> ours = finalists(outcomes);
  if (ours.empty()) return order;
  add(ours.front());
  if (const Measurement* const before = winner_in_turn(outcomes)) add(before->design);
  for (const std::string& name : share_.finalists(search_.result.baseline_outcomes)) add(name);
  if (const auto any = search_.best_for_any_values()) add(any->design);
  if (const Measurement* const given = best_in_given_order(outcomes)) add(given->design);
  for (const std::string& design : ours) add(design);
  if (const Measurement* const named = best_named(outcomes).outcome) add(named->design);
  return order;
}

void LastComparison::hold() {
  TuneResult& result = search_.result;
  const std::atomic<bool>& stop = search_.setting.stop;
  if (!search_.setting.is_measured() || result.interrupted || result.broken || stop) return;
  const Subjects subjects = order();
  if (subjects.empty()) return;
  const double seconds = this->seconds();
  search_.trial.set_deadline({{}, &stop});
  const Measurement& best = *find_best(result.outcomes);
  const double preparing = 1e-6 * preparation_us(best);
  if (preparing > prepared_most * std::max(1.0, seconds)) {
    return report_not_held(fmt::format("preparing the first would take {:.0f} s, there are {:.0f}",
                                       preparing, seconds));
  }
  try {
    measure(subjects, seconds);
  } catch (const Error& error) {
    report_not_held(error.what());
    try {
      search_.trial.check({{}, &stop});
    } catch (const Error& broken) {
      result.broken = broken;
    }
  }
}

FinalPlan LastComparison::plan() const {
  FinalPlan plan;
  plan.bytes_max = finals_bytes_max(search_.result.device.target, search_.result.csr_bytes);
  plan.seconds_over = search_.budget.allow_late_comparison();
  if (search_.result.device.target == Target::cpu) plan.rounds_max = rounds_on_cpus;
  return plan;
}

double LastComparison::seconds() const {
  return search_.budget.allow_comparison() / (search_.setting.options.own_order ? 2 : 1);
}

void LastComparison::measure(const Subjects& subjects, double seconds) {
  TuneResult& result = search_.result;
  const FinalPlan plan = this->plan();
  const Stopwatch clock;
  auto measured = run_finals(search_.trial, subjects, plan, seconds, search_.setting.stop);
  if (!measured) {
    result.disturbed = result.disturbed || measured.reason() == rounds_disturbed;
    return report_not_held(measured.reason());
  }
  take(*measured, measured->front().outcome.created_at);
  challenge_winner(plan, std::max(0.0, seconds - clock.seconds()));
}

/// Measures in turn with the winner every design that seems faster by a trial of this call, until
/// none does.
void LastComparison::challenge_winner(const FinalPlan& plan, double seconds) {
  constexpr std::size_t challengers_max = 7;
  constexpr int times_most = 40;
  const Stopwatch clock;
  const double seconds_most = seconds + plan.seconds_over;
  for (int times = 0; times < times_most && clock.seconds() < seconds_most; ++times) {
    if (search_.setting.stop || search_.result.broken) return;
    const Measurement* const winner = winner_in_turn(search_.result.outcomes);
    if (winner == nullptr) return;
    Subjects subjects = {search_.find_design(*winner)};
    for (const Measurement* const outcome : sort_by_time(search_.result.outcomes)) {
      const bool is_faster = outcome->timing->time_us < winner->timing->time_us;
      if (!is_faster || subjects.size() > challengers_max) break;
      if (outcome->timing->rounds == 0 && outcome->created_at >= search_.setting.began_at)
        subjects.push_back(search_.find_design(*outcome));
    }
    if (subjects.size() == 1) return;
    const std::string when = winner->created_at;
    auto measured = run_finals(search_.trial, subjects, plan, seconds, search_.setting.stop);
    seconds = 0;  // the least rounds from now on
    if (!measured || measured->size() < 2) return;
    measured->erase(measured->begin());  // the winner's time stands
    take(*measured, when);
  }
}

/// Records these measurements in turn, with `when` as the time at which all of them ended.
void LastComparison::take(std::vector<Finalist>& finals, const std::string& when) {
  for (Finalist& finalist : finals) {
    Measurement& measurement = finalist.outcome;
    measurement.created_at = when;
    const bool is_baseline = find_baseline(measurement.design) != nullptr;
    Outcomes& outcomes = is_baseline ? search_.result.baseline_outcomes : search_.result.outcomes;
    // Finals are no trial: its cost stays known.
    const Measurement& before = outcomes[measurement.design];
    measurement.trial_us = before.trial_us;
    measurement.bound_us = before.bound_us;
    if (is_baseline) {
      measurement = standing_of_baselines(search_.result.device.target, before, measurement);
    }
    if (is_baseline) {
      search_.store.record_baseline(measurement);
    } else {
      search_.store.record(measurement);
    }
    outcomes.insert_or_assign(measurement.design, measurement);
  }
}

}  // namespace alphasparse
