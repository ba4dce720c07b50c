#include "search/tune.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "operators/compact_passes.h"
#include "operators/named_designs.h"
#include "runtime/device/vendor_kernels.h"
#include "runtime/system/stopwatch.h"
#include "search/explaining/pfs.h"
#include "search/problem.h"
#include "search/trial/finals.h"
#include "search/trial/trial.h"
#include "search/trial/vendor_trials.h"
#include "search/ways/search_ways.h"
#include "search/ways/warm_start.h"

namespace alphasparse {

namespace {

std::int64_t counted_trials(const Outcomes& outcomes) {
  return std::count_if(outcomes.begin(), outcomes.end(),
                       [](const auto& entry) { return counts_as_trial(entry.second); });
}

constexpr std::size_t counterparts_of = 3;  // of the fastest designs

/// A tenth, and where that is little up to 2 s, but never more than a quarter.
double final_seconds(const Effort& effort) {
  return std::min(std::max(2.0, 0.1 * effort.seconds), 0.25 * effort.seconds);
}

/// One call of tune(): what its steps share.
struct Search {
  const Matrix& matrix;
  Database* database;
  const TuneOptions& options;
  const ProgressCallback& progress;
  const std::atomic<bool>& stop;
  const Problem problem;
  Trial trial;
  Effort left;      ///< of the budget; trials only where they are limited
  std::string run;  ///< its key in the database
  TuneResult result;
  std::string vendor_run;     ///< likewise, where there is one
  double seconds_before = 0;  ///< that earlier runs have used
  std::optional<Features> known_features = std::nullopt;
  VendorShare vendor_share = {};

  bool is_measured() const { return problem.device.kind == TimeKind::measured; }

  /// Takes what earlier runs found and used from the problem and the budget.
  void recall() {
    if (!database || options.fresh) return;
    if (is_measured()) result.vendor_outcomes = database->outcomes(vendor_problem(problem));
    result.outcomes = database->outcomes(problem);
    if (result.outcomes.empty()) return;
    result.tier = Tier::resumed;
    const Effort spent = database->spent(problem, options.effort.seed);
    seconds_before = spent.seconds;
    left.seconds -= spent.seconds;
    left.trials -= spent.trials;
  }

  /// Tries `first`, and with `ways` whatever follows from them, until that is no longer worth it.
  void search(std::vector<std::string> first, SearchWays* ways) {
    TrialLoop loop;
    std::vector<std::string> unlearnt;  // the last batch
    // In the order of the batch, whichever was done first: chance has no part in what is learnt.
    const auto learn = [&] {
      for (const std::string& design : unlearnt) {
        const auto known = result.outcomes.find(design);
        if (known != result.outcomes.end()) ways->portfolio().learn(known->second);
      }
      unlearnt.clear();
    };
    loop.propose = [&](const Outcomes& outcomes, std::size_t count) -> std::vector<std::string> {
      if (result.broken) return {};
      if (ways) {
        learn();
        std::vector<std::string> designs = counterparts(count);
        if (designs.size() < count && !ways->is_exhausted()) {
          unlearnt = proposed(*ways, count - designs.size());
          designs.insert(designs.end(), unlearnt.begin(), unlearnt.end());
        }
        return designs;
      }
      std::erase_if(first, [&](const std::string& design) { return outcomes.contains(design); });
      const std::size_t now = std::min(count, first.size());
      return {first.begin(), first.begin() + static_cast<std::ptrdiff_t>(now)};
    };
    loop.try_designs = [&](const std::vector<std::string>& designs, const Patience& patience,
                           const std::function<void(Measurement)>& found,
                           const std::function<bool(const std::string&)>& wanted) {
      const Measurement* const best = best_of(result.outcomes);
      const Stopwatch clock;
      trial.run(designs, patience, best && best->timing ? best->timing->time_us : 0, found, wanted);
      // Modelled times are the same again, and so is a search by them with as many workers.
      if (ways && is_measured()) ways->portfolio().spent(clock.seconds());
    };
    loop.batch = trial.batch_size();
    loop.record = [&](const Measurement& measurement) { record(run, measurement); };
    loop.progress = progress;
    loop.stop = &stop;
    loop.seconds = left.seconds - (is_measured() ? final_seconds(options.effort) : 0);
    if (options.effort.trials > 0) loop.trials = left.trials;
    const std::int64_t trials_before = counted_trials(result.outcomes);
    try {
      const LoopEnd end = run_trials(loop, result.outcomes);
      left.seconds -= end.seconds;
      left.trials -= end.trials;
      result.interrupted = end.interrupted;
    } catch (const Error& error) {  // such as no room for temporary files
      result.broken = error;
    }
    learn();
    result.trials_now += counted_trials(result.outcomes) - trials_before;
  }

  /// For those of the fastest designs whose formats hold these values alone, the same designs for
  /// any values, as far as they have not been tried: the vendor is held against both.
  std::vector<std::string> counterparts(std::size_t count) {
    std::vector<std::string> designs;
    if (!is_measured() || options.values_vary) return designs;
    std::size_t place = 0;
    for (const Measurement* const outcome : newest_by_time(result.outcomes)) {
      if (place++ == counterparts_of || designs.size() == count) break;
      if (trial.takes_any_values(outcome->design)) continue;
      std::string design = print_design(with_any_values(*parse_design(outcome->design)));
      if (!result.outcomes.contains(design)) designs.push_back(std::move(design));
    }
    return designs;
  }

  /// Tries the counterpart of a winner that the last trials have brought.
  void complete_counterparts() {
    if (result.interrupted || result.broken || stop) return;
    if (options.effort.trials > 0 && left.trials <= 0) return;
    const std::vector<std::string> designs = counterparts(1);
    if (designs.empty()) return;
    left.seconds = final_seconds(options.effort) + std::max(1.0, 0.05 * options.effort.seconds);
    search(designs, nullptr);
  }

  std::optional<Measurement> best_for_any_values() {
    Outcomes others = result.outcomes;
    while (const Measurement* const best = best_of(others)) {
      if (trial.takes_any_values(best->design)) return *best;
      others.erase(others.find(best->design));
    }
    return std::nullopt;
  }

  /// The best, and the best for any values: those that must have met in turn.
  std::vector<std::string> answers() {
    std::vector<std::string> designs = {best_of(result.outcomes)->design};
    if (!is_measured()) return designs;
    if (const auto any = best_for_any_values()) designs.push_back(any->design);
    return designs;
  }

  /// Nothing where this machine's memory does not hold what it takes to find any.
  std::vector<std::string> proposed(SearchWays& ways, std::size_t count) const {
    try {
      return ways.portfolio().propose(result.outcomes, count);
    } catch (const std::bad_alloc&) {
      spdlog::warn("the search ends: this machine's memory does not hold what follows");
      return {};
    }
  }

  /// What later searches learn from. This one needs none of it, so it goes on without.
  template <class Keep>
  void keep(const char* what, const Keep& act) {
    if (!database || result.broken) return;
    try {
      act();
    } catch (const Error& error) {
      spdlog::warn("{} not kept: {}", what, error.what());
    }
  }

  /// Of the matrix; found when they are first asked for.
  const Features& features() {
    if (!known_features) known_features = features_of(matrix);
    return *known_features;
  }

  void keep_features() {
    keep("features of the matrix are",
         [&] { database->keep_features(problem.matrix, stored_features(features())); });
  }

  void keep_model(const SearchWays& ways) {
    const std::optional<StoredModel> model = ways.model();
    if (model) keep("the model of times is", [&] { database->keep_model(problem, *model); });
  }

  /// Designs and measurements from elsewhere.
  WarmStart recall_elsewhere() {
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

  void recall_model(SearchWays& ways) {
    if (!database || options.fresh || result.tier != Tier::resumed) return;
    try {
      if (const auto model = database->model(problem)) ways.use_model(*model);
    } catch (const Error& error) {
      spdlog::warn("the problem's model is not used: {}", error.what());
    }
  }

  /// All levels of the search.
  void search_all() {
    if (stop) {
      result.interrupted = true;
      return;
    }
    const Stopwatch clock;  // what comes before the first trial is part of the budget
    keep_features();
    SearchWaysOptions how{options.effort.seed, options.dtype, options.values_vary, is_measured()};
    how.target = result.device.target;
    how.features = &features();
    how.warm = recall_elsewhere();
    const Patience patience{Patience::after(left.seconds), &stop};
    how.patience = &patience;
    SearchWays ways(matrix, named_lines(how.target), how);
    recall_model(ways);
    ways.learn(result.outcomes);
    left.seconds -= clock.seconds();
    search({}, &ways);
    keep_model(ways);
    result.ways = ways.portfolio().records();
    result.model = ways.fine_state();
    result.bans = ways.bans();
    for (const auto& [design, outcome] : result.outcomes) {
      const std::string way = ways.portfolio().origin_of(design);
      if (!way.empty()) result.origins[design] = way;
    }
  }

  /// A database that cannot be written any more ends the search, not what it has found.
  void record(const std::string& of_run, const Measurement& measurement) {
    if (!database) return;
    try {
      database->record(of_run, measurement);
    } catch (const Error& error) {
      result.broken = error;
    }
  }

  /// Tries the vendor's algorithms, which make a run of their own.
  void measure_vendor() {
    if (!is_measured()) return;
    if (database) vendor_run = database->begin_run(vendor_problem(problem), options.effort);
    vendor_share = VendorShare(left.seconds, result.device.target);
    const auto keep_one = [&](const Measurement& outcome) {
      record(vendor_run, outcome);
      return !result.broken;
    };
    try_vendor(trial, result.device.target, vendor_share, result.vendor_outcomes, keep_one, stop);
  }

  /// Who meets in the finals: the best, then whom it is held against - the winner of finals before
  /// these, the vendor's best, the best for any values -, then the others. Where the time does
  /// not go further, those have met.
  std::vector<std::string> final_order() {
    std::vector<std::string> order;
    const auto add = [&](const std::string& design) {
      if (std::find(order.begin(), order.end(), design) == order.end()) order.push_back(design);
    };
    const std::vector<std::string> ours = finalists(result.outcomes);
    if (ours.empty()) return order;
    add(ours.front());
    if (const Measurement* const before = winner_in_turn(result.outcomes)) add(before->design);
    for (const std::string& name : vendor_share.finalists(result.vendor_outcomes)) add(name);
    if (const auto any = best_for_any_values()) add(any->design);
    for (const std::string& design : ours) add(design);
    if (const Measurement* const named = best_named(result.outcomes).outcome) add(named->design);
    return order;
  }

  /// Measures them in turn.
  void hold_finals() {
    if (!is_measured() || result.interrupted || result.broken || stop) return;
    const std::vector<std::string> designs = final_order();
    if (designs.empty()) return;
    FinalPlan plan;
    plan.seconds_max = final_seconds(options.effort);
    trial.wait_with({{}, &stop});
    const auto not_held = [](const std::string& why) {
      spdlog::warn("the best were not measured in turn, their times are those of their trials: {}",
                   why);
    };
    try {
      auto measured = run_finals(trial, designs, plan, stop);
      if (!measured) return not_held(measured.reason());
      take_finals(*measured);
    } catch (const Error& error) {
      not_held(error.what());
    }
  }

  void take_finals(std::vector<Measurement>& finals) {
    for (Measurement& measurement : finals) {
      const bool is_vendors = find_vendor_algorithm(measurement.design) != nullptr;
      Outcomes& outcomes = is_vendors ? result.vendor_outcomes : result.outcomes;
      // Finals are no trial: its cost stays known.
      measurement.trial_us = outcomes[measurement.design].trial_us;
      measurement.bound_us = outcomes[measurement.design].bound_us;
      record(is_vendors ? vendor_run : run, measurement);
      outcomes.insert_or_assign(measurement.design, measurement);
    }
  }

  /// Tries what was best for this pattern with other values; true where that is the answer.
  bool search_same_pattern() {
    if (!database || options.fresh || result.tier != Tier::none) return false;
    const std::optional<Problem> other = database->same_pattern(problem, options.effort);
    if (!other) return false;
    const Outcomes outcomes = database->outcomes(*other);
    std::vector<std::string> designs;
    if (const Measurement* best = best_of(outcomes)) designs.push_back(best->design);
    const Measurement* const named = best_named(outcomes).outcome;
    if (named && (designs.empty() || named->design != designs.front())) {
      designs.push_back(named->design);
    }
    if (designs.empty()) return false;
    search(designs, nullptr);
    const auto first = result.outcomes.find(designs.front());
    if (result.broken) return true;
    if (first == result.outcomes.end() || first->second.status != Status::ok) return false;
    result.tier = Tier::pattern;
    return true;
  }

  /// Begins a run that is no search: no budget is spent on it. False where that fails.
  bool begin_explaining() {
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

  /// Takes the winner apart, and what then turns out to be better.
  void explain() {
    if (result.broken || !best_of(result.outcomes)) return;
    const Stopwatch clock;
    const ExplainPlan plan = explain_plan(options.effort.seconds);
    const std::int64_t trials_before = result.trials_now;
    const auto try_designs = [&](const std::vector<std::string>& designs) {
      if (result.broken || !begin_explaining()) return;
      const std::vector<std::string> before = answers();
      left.seconds = plan.seconds_max - clock.seconds();
      if (is_measured()) left.seconds += final_seconds(options.effort);
      left.trials = static_cast<std::int64_t>(designs.size());
      trial.spare(designs);  // their times are asked for, however long they are
      search(designs, nullptr);
      for (const std::string& design : designs) {
        if (result.outcomes.contains(design)) result.origins.try_emplace(design, "explain");
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
    const Patience patience{{}, &stop};
    result.explanation =
        alphasparse::explain({designer, features(), limits}, named ? named->design : "",
                             result.outcomes, plan, try_designs, patience);
    result.trials_explaining = result.trials_now - trials_before;
    finish(clock.seconds(), result.trials_explaining);
    tell_limits(best_of(result.outcomes)->design, patience);
    if (named) tell_limits(named->design, patience);
  }

  /// Models a time again whose limits the database does not hold.
  void tell_limits(const std::string& design, const Patience& patience) {
    Measurement& outcome = result.outcomes.find(design)->second;
    if (is_measured() || !outcome.timing || outcome.timing->limits || patience.over()) return;
    trial.wait_with(patience);
    try {
      Measurement facts;
      auto ready = trial.load(design, facts);
      const auto timing = ready ? trial.time_shortly(**ready) : Result<Timing>(ready.failure());
      if (timing) outcome.timing->limits = timing->limits;
    } catch (const Error& error) {
      spdlog::warn("what limits {} is not known: {}", design, error.what());
    }
  }

  /// Ends the run, if there is one.
  void finish(double seconds, std::int64_t trials) {
    if (!database || run.empty()) return;
    const std::string ended = std::exchange(run, "");
    const bool done = !result.interrupted && !result.broken && best_of(result.outcomes);
    try {
      const RunState state = done ? RunState::complete : RunState::interrupted;
      database->finish(ended, state, seconds, trials);
      if (!vendor_run.empty()) database->finish(vendor_run, state, 0, 0);
    } catch (const Error& error) {
      if (!result.broken) result.broken = error;
    }
  }

  void conclude() {
    if (const Measurement* best = best_of(result.outcomes)) result.winner = *best;
    result.any_values = best_for_any_values();
    const auto [pfs, name] = best_named(result.outcomes);
    if (pfs) result.pfs = *pfs;
    result.pfs_name = name;
    if (const Measurement* vendor = best_of(result.vendor_outcomes)) result.vendor = *vendor;
    result.trials = counted_trials(result.outcomes);
  }
};

}  // namespace

TuneResult tune(const Matrix& matrix, Device& device, Database* database,
                const TuneOptions& options, const ProgressCallback& progress,
                const std::atomic<bool>& stop) {
  const Stopwatch clock;
  const Fingerprints prints = fingerprints(matrix);
  Search search{matrix,
                database,
                options,
                progress,
                stop,
                problem_of(matrix, prints, device.info(), options),
                Trial(matrix, device, options, 0),
                options.effort,
                {},
                {},
                {},
                0};
  search.result.fingerprints = prints;
  search.result.device = device.info();
  search.result.csr_bytes = csr_bytes(matrix, options.dtype);
  search.trial.spare(named_lines(device.info().target));
  search.recall();
  if (options.values_vary) {
    refuse_for_varying_values(device.info().target, search.result.vendor_outcomes);
  }
  if (search.result.tier == Tier::resumed && best_of(search.result.outcomes) &&
      database->is_complete(search.problem, options.effort)) {
    search.result.tier = Tier::exact;
  } else {
    if (database) search.run = database->begin_run(search.problem, options.effort);
    search.measure_vendor();
    search.left.seconds -= clock.seconds();
    if (!search.search_same_pattern()) search.search_all();
    search.complete_counterparts();
    search.hold_finals();
  }
  search.finish(clock.seconds(), search.result.trials_now);
  search.result.seconds_tuned = search.seconds_before + clock.seconds();
  if (options.explain) search.explain();
  search.conclude();
  search.result.seconds = clock.seconds();
  return std::move(search.result);
}

}  // namespace alphasparse
