#include "search/tune.h"

#include <exception>
#include <utility>

#include "runtime/system/stopwatch.h"
#include "search/explanation.h"
#include "search/last_comparison.h"
#include "search/problem.h"
#include "search/recall.h"
#include "search/sampled_search.h"
#include "search/trial/baseline_figures.h"
#include "search/trial/baseline_trials.h"

namespace alphasparse {

namespace {

/// The progress of a whole call: its own clock and budget, and the part that runs.
class CallProgress {
 public:
  CallProgress(const ProgressCallback& progress, Budget& budget)
      : progress_(progress), budget_(budget) {
    budget_.on_part([this] {
      last_.of_what.clear();
      report(last_);
    });
  }

  /// The search has begun: its result so far.
  void watch(TuneResult& result) { result_ = &result; }

  void report(Progress reported) {
    reported.part = part_name(budget_.part());
    if (result_) {
      const auto* theirs = best_baseline(result_->device.target, result_->baseline_outcomes);
      if (theirs && theirs->timing) reported.baseline_us = theirs->timing->time_us;
      const bool is_whole = budget_.part() == Part::search && reported.of_what.empty();
      if (is_whole && reported.best && reported.best->timing)
        result_->reported_us = reported.best->timing->time_us;
    }
    reported.seconds = budget_.seconds();
    reported.seconds_budget = budget_.whole();
    last_ = std::move(reported);
    if (progress_) progress_(last_);
  }

 private:
  const ProgressCallback& progress_;
  Budget& budget_;
  TuneResult* result_ = nullptr;
  Progress last_;
};

void search_anew(SearchRun& search, Recall& recall, LastComparison& comparison, Device& device) {
  search.store.begin(search.setting.options.effort);
  if (!search.budget.is_none()) {
    const Budget::Scope scope = search.budget.enter(Part::baselines);
    comparison.measure_baselines();
  }
  if (!recall.search_known()) {
    const DesignsForWhole first = search_samples(search, device);
    search.search_all(first.designs, first.leaders);
  }
  if (search.budget.is_none()) return;
  const Budget::Scope scope = search.budget.enter(Part::comparison);
  search.complete_counterparts();
  comparison.hold();
}

/// The run of the search is open until all is done: an interrupt leaves it unfinished.
void conclude_and_deliver(SearchRun& search, LastComparison& comparison, Device& device,
                          const Stopwatch& clock, const Deliver& deliver) {
  const double seconds = clock.seconds();
  const std::int64_t trials = search.result.trials_now;
  const std::string run = search.store.detach_run();  // an explanation has its own
  if (search.setting.options.explain) {
    const Budget::Scope scope = search.budget.enter(Part::explanation);
    explain_winner(search, comparison);
  }
  if (search.setting.options.own_order && !search.budget.is_none()) {
    const Budget::Scope scope = search.budget.enter(Part::comparison);
    weigh_order(search, comparison, device);
  }
  search.conclude();
  search.result.seconds = clock.seconds();
  search.result.seconds_tuned += search.setting.options.seconds_before + search.result.seconds;
  search.result.parts = search.budget.parts();
  const auto finish = [&] {
    search.store.attach_run(run);
    search.finish(seconds, trials);
  };
  try {
    if (deliver) deliver(search.result);
  } catch (const std::exception&) {
    finish();
    throw;
  }
  finish();
}

}  // namespace

TuneResult tune(const Matrix& matrix, Device& device, Database* database,
                const TuneOptions& options, const ProgressCallback& progress,
                const std::atomic<bool>& stop, const Deliver& deliver) {
  const Stopwatch clock;
  const bool is_measured = device.info().kind == TimeKind::measured;
  Budget budget(options.effort, is_measured ? Budget::Times::measured : Budget::Times::modelled,
                options.seconds_before);
  CallProgress call(progress, budget);
  const ProgressCallback report = [&call](const Progress& reported) { call.report(reported); };
  const Fingerprints prints = fingerprints(matrix);
  SearchRun search({matrix, database, options, report, stop,
                    make_problem(matrix, prints, device.info(), options)},
                   device, budget);
  call.watch(search.result);
  search.result.fingerprints = prints;
  search.result.csr_bytes = csr_bytes(matrix, options.dtype);
  Recall recall(search);
  search.result.seconds_tuned = recall.seconds_before();
  if (options.values_vary) {
    prune_for_varying_values(search.result.algorithms(), search.result.baseline_outcomes);
  }
  LastComparison comparison(search);
  if (recall.is_answered()) {
    search.result.tier = Tier::exact;
  } else {
    search_anew(search, recall, comparison, device);
  }
  conclude_and_deliver(search, comparison, device, clock, deliver);
  return std::move(search.result);
}

}  // namespace alphasparse
