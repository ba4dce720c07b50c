#include "search/search_run.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "generator/arrays/large_matrix.h"
#include "operators/compact_passes.h"
#include "operators/named_designs.h"
#include "runtime/system/processes/environment.h"
#include "runtime/system/stopwatch.h"
#include "search/estimates/prior.h"
#include "search/explaining/pfs.h"
#include "search/recall.h"

namespace alphasparse {

namespace {

constexpr std::size_t counterparts_of = 3;  // of the fastest designs
constexpr double seconds_again = 0.5;       // at least, for disturbed designs
constexpr double order_share = 0.03;        // of the time, for each own order of vectors
constexpr std::int64_t share_of_named = 6;  // of a sample's trials: this part of them

/// How many named designs have an early trial on a sample although others are expected to be
/// faster. All have where trials are not limited; else most trials are for other strategies.
std::size_t more_named_on_sample(const Effort& effort) {
  if (effort.trials <= 0) return std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(effort.trials / share_of_named);
}

}  // namespace

std::int64_t counted_trials(const Outcomes& outcomes) {
  return std::count_if(outcomes.begin(), outcomes.end(),
                       [](const auto& entry) { return counts_as_trial(entry.second); });
}

SearchRun::SearchRun(SearchSetting setting_of, Device& device, Budget& budget_of)
    : setting(std::move(setting_of)),
      budget(budget_of),
      trial(setting.matrix, device, setting.options, 0),
      store(setting.database, setting.problem, result.broken) {
  result.device = device.info();
  result.vectors = setting.options.vectors;
  trial.exempt(canonical_named_designs(device.info().target));
}

SearchRun::Proposals SearchRun::make_proposals(const Designs& wanted) const {
  Proposals proposals;
  proposals.next = [this, &wanted](std::size_t count) {
    Designs next;
    for (const CanonicalDesign& design : wanted) {
      if (next.size() == count) break;
      if (!result.outcomes.contains(design.text())) next.push_back(design);
    }
    return next;
  };
  return proposals;
}

void SearchRun::try_designs(const Designs& wanted, const Allowance& allowance) {
  run(make_proposals(wanted), allowance);
}

void SearchRun::search(Strategies& strategies, const Allowance& allowance) {
  Designs unlearnt;  // the last batch
  Proposals proposals;
  // In the order of the batch, not of their ends: chance has no part in the lessons.
  proposals.learn = [&] {
    for (const CanonicalDesign& design : unlearnt) {
      const auto known = result.outcomes.find(design.text());
      if (known != result.outcomes.end()) strategies.learn(design, known->second);
    }
    unlearnt.clear();
  };
  proposals.next = [&](std::size_t count) {
    proposals.learn();
    Designs next = counterparts(count);
    if (next.size() < count && !strategies.is_exhausted()) {
      unlearnt = proposed(strategies, count - next.size());
      next.insert(next.end(), unlearnt.begin(), unlearnt.end());
    }
    return next;
  };
  // Modelled times are the same again, and so is a search by them with as many workers.
  if (setting.is_measured())
    proposals.spent = [&](double seconds) { strategies.portfolio().spent(seconds); };
  run(proposals, allowance);
}

/// Disturbed designs have one more trial each, beside those of the allowance.
void SearchRun::run(const Proposals& proposals, const Allowance& allowance) {
  const std::int64_t trials_before = counted_trials(result.outcomes);
  const Stopwatch clock;
  try {
    Designs disturbed = run_loop(proposals, allowance);
    if (proposals.learn) proposals.learn();
    if (!disturbed.empty() && !result.interrupted && !result.broken) {
      const double seconds = std::max(0.0, allowance.seconds) - clock.seconds();
      const auto trials = static_cast<std::int64_t>(disturbed.size());
      budget.spend_trials(-trials);
      const Designs again = std::move(disturbed);
      disturbed = run_loop(make_proposals(again), {std::max(seconds_again, seconds), trials});
    }
    result.disturbed_designs += static_cast<std::int64_t>(disturbed.size());
  } catch (const Error& error) {  // such as no room for temporary files
    result.broken = error;
  }
  result.trials_now += counted_trials(result.outcomes) - trials_before;
}

Designs SearchRun::run_loop(const Proposals& proposals, const Allowance& allowance) {
  TrialLoop loop;
  loop.propose = [&](const Outcomes&, std::size_t count) {
    return result.broken ? Designs() : proposals.next(count);
  };
  loop.try_designs = [&](const Designs& next, const Deadline& deadline,
                         const std::function<void(Measurement)>& found,
                         const std::function<bool(const CanonicalDesign&)>& wanted) {
    const Measurement* const best = find_best(result.outcomes);
    const Stopwatch clock;
    trial.run(Subjects(next.begin(), next.end()), deadline,
              best && best->timing ? best->timing->time_us : 0, found,
              [&](const Subject& subject) { return wanted(*subject.design()); });
    if (proposals.spent) proposals.spent(clock.seconds());
  };
  loop.batch = trial.batch_size();
  loop.record = [&](const Measurement& measurement) {
    trace(measurement);
    store.record(measurement);
  };
  loop.progress = setting.progress;
  loop.stop = &setting.stop;
  loop.seconds = std::max(0.0, allowance.seconds);
  loop.trials = allowance.trials;
  const LoopEnd end = run_trials(loop, result.outcomes, designs);
  budget.spend_trials(end.trials);
  result.interrupted = end.interrupted;
  return set_aside(end.set_aside);
}

Designs SearchRun::set_aside(const std::vector<Measurement>& outcomes) {
  Designs disturbed;
  for (const Measurement& outcome : outcomes) {
    if (!outcome.timing) {
      if (result.skipped++ == 0) result.skip_reason = outcome.reason;
      continue;
    }
    disturbed.push_back(find_design(outcome));
    const double time_us = outcome.timing->time_us;
    if (!fastest_disturbed_ || time_us < fastest_disturbed_->timing->time_us)
      fastest_disturbed_ = outcome;
  }
  return disturbed;
}

Designs SearchRun::counterparts(std::size_t count) {
  Designs wanted;
  if (!setting.is_measured() || setting.options.values_vary) return wanted;
  std::size_t rank = 0;
  for (const Measurement* const outcome : newest_by_time(result.outcomes)) {
    if (rank++ == counterparts_of || wanted.size() == count) break;
    const CanonicalDesign& fast = find_design(*outcome);
    if (trial.takes_any_values(fast)) continue;
    auto design = CanonicalDesign::spelled(with_any_values(fast.tree()));
    if (!result.outcomes.contains(design.text())) wanted.push_back(std::move(design));
  }
  return wanted;
}

void SearchRun::complete_counterparts() {
  if (result.interrupted || result.broken || setting.stop) return;
  if (!budget.has_trials()) return;
  const Designs wanted = counterparts(1);
  if (wanted.empty()) return;
  Allowance allowance = budget.allow_trials();
  allowance.seconds = std::max(budget.allow_counterpart(), budget.seconds_left());
  // It takes about as long as the winner did. A build that would not end in time is not begun.
  if (find_best(result.outcomes)->trial_us.value_or(0) > 1e6 * allowance.seconds) return;
  try_designs(wanted, allowance);
}

Designs SearchRun::proposed(Strategies& strategies, std::size_t count) const {
  try {
    return strategies.portfolio().propose(result.outcomes, count);
  } catch (const std::bad_alloc&) {
    spdlog::warn("the search ends: this machine's memory is too small for further designs");
    return {};
  }
}

const Features& SearchRun::features() {
  if (!features_) features_ = compute_features(setting.matrix);
  return *features_;
}

const RowOrders& SearchRun::row_orders() {
  if (!row_orders_) row_orders_ = promising_orders(setting.matrix);
  return *row_orders_;
}

ExpectedTimes SearchRun::expected(const Designs& of, const Deadline& deadline) const {
  if (sampled_us_.empty()) {
    return expected_times(
        setting.matrix, of,
        {result.device, setting.options.dtype, setting.options.regime, setting.options.vectors},
        deadline);
  }
  ExpectedTimes times;
  for (const CanonicalDesign& design : of) {
    const auto known = sampled_us_.find(design);
    times[design] =
        known == sampled_us_.end() ? std::numeric_limits<double>::infinity() : known->second;
  }
  return times;
}

void SearchRun::search_at_once(Strategies& strategies) {
  const Deadline deadline{{}, &setting.stop};
  while (!setting.stop && !result.broken) {
    const Designs next = proposed(strategies, 1);
    if (next.empty()) return;
    designs.add(next.front());
    trial.run(Subjects{next.front()}, deadline, 0, [&](Measurement outcome) {
      if (outcome.unsettled) {
        if (set_aside({outcome}).empty()) {  // none follows that could not meet the same
          result.broken = environment_error(outcome.reason);
          return;
        }
        ++result.disturbed_designs;
        outcome.unsettled = false;  // the first right design is the answer, slow or fast
        outcome.timing.reset();
        outcome.reason = "its time was disturbed";
      }
      trace(outcome);
      store.record(outcome);
      result.outcomes.insert_or_assign(outcome.design, outcome);
      strategies.learn(next.front(), outcome);
      result.trials_now += counts_as_trial(outcome);
    });
    if (find_best(result.outcomes)) return;
  }
  result.interrupted = setting.stop;
}

void SearchRun::search_all(const Designs& first, std::size_t leaders) {
  if (setting.stop) {
    result.interrupted = true;
    return;
  }
  if (!setting.is_sample) {
    store.keep("features of the matrix are", [&](Database& database) {
      database.keep_features(setting.problem.matrix, stored_features(features()));
    });
  }
  if (leaders > 0) {  // in their order; strategies have one of their own
    const bool is_all = setting.matrix.nnz() > large_nnz;
    const std::size_t count = is_all ? first.size() : std::min(leaders, first.size());
    try_designs({first.begin(), first.begin() + static_cast<std::ptrdiff_t>(count)},
                budget.allow_trials());
    if (is_all) return;
  }
  const TuneOptions& options = setting.options;
  StrategiesOptions how{options.effort.seed, options.dtype, options.values_vary,
                        setting.is_measured()};
  how.target = result.device.target;
  how.is_team = result.device.threads > 1;
  how.may_round = options.may_round;
  how.own_order = options.own_order;
  how.vectors = options.vectors;
  if (options.own_order && !budget.is_none()) {
    result.vector_orders = vector_orders(
        setting.matrix, options.dtype, order_share * budget.whole(), budget.deadline(setting.stop));
    how.vector_orders = result.vector_orders;
  }
  if (setting.is_sample) how.more_named = more_named_on_sample(options.effort);
  how.features = &features();
  how.row_orders = &row_orders();
  if (leaders == 0) how.warm = recall_elsewhere(*this);
  const Deadline deadline = budget.deadline(setting.stop);
  how.deadline = &deadline;
  how.expected = [&](const Designs& of) { return expected(of, deadline); };
  Strategies strategies(setting.matrix, first, how);
  strategies.learn(result.outcomes, designs);
  if (budget.is_none()) try {
      search_at_once(strategies);
    } catch (const Error& error) {
      result.broken = error;
    }
  else
    search(strategies, budget.allow_trials());
  result.strategies = strategies.portfolio().records();
  result.model = strategies.fine_state();
  result.prunes = strategies.prunes();
  for (const auto& [design, outcome] : result.outcomes) {
    const std::string origin = strategies.portfolio().find_origin(design);
    if (!origin.empty()) result.origins[design] = origin;
  }
}

void SearchRun::trace(const Measurement& measurement) {
  if (!counts_as_trial(measurement)) return;
  const bool timed = is_timed(measurement);
  result.trace.push_back(
      {measurement.design, timed ? std::optional(measurement.timing->time_us) : std::nullopt});
}

std::optional<Measurement> SearchRun::best_for_any_values() {
  Outcomes others = result.outcomes;
  while (const Measurement* const best = find_best(others)) {
    if (trial.takes_any_values(find_design(*best))) return *best;
    others.erase(others.find(best->design));
  }
  return std::nullopt;
}

void SearchRun::finish(double seconds, std::int64_t trials) {
  result.interrupted = result.interrupted || setting.stop;
  const bool whole = result.skipped == 0 && result.disturbed_designs == 0 && !result.disturbed;
  const bool done = whole && !result.interrupted && !result.broken && find_best(result.outcomes);
  store.finish(done ? RunState::complete : RunState::interrupted, seconds, trials);
}

void SearchRun::conclude() {
  result.interrupted = result.interrupted || setting.stop;
  result.disturbed = result.disturbed || result.disturbed_designs > 0;
  if (const Measurement* best = find_best(result.outcomes))
    result.winner = *best;
  else if (fastest_disturbed_)
    result.winner = fastest_disturbed_;
  for (const Measurement* const outcome : sort_by_time(result.outcomes)) {
    if (result.least_us || outcome->created_at < setting.began_at) continue;
    result.least_us = outcome->timing->time_us;
  }
  result.any_values = best_for_any_values();
  const Designs named = canonical_named_designs(result.device.target);
  result.named_designs = static_cast<std::int64_t>(named.size());
  result.named_untried = std::count_if(
      named.begin(), named.end(),
      [&](const CanonicalDesign& design) { return !result.outcomes.contains(design.text()); });
  const auto [pfs, name] = best_named(result.outcomes);
  if (pfs) result.pfs = *pfs;
  result.pfs_name = name;
  const Target target = result.device.target;
  if (const auto* vendor = best_baseline(target, result.baseline_outcomes)) result.vendor = *vendor;
  result.trials = counted_trials(result.outcomes);
}

}  // namespace alphasparse
