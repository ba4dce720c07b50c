#include "search/tune.h"

#include <exception>
#include <utility>

#include "operators/named_designs.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/system/stopwatch.h"
#include "search/problem.h"
#include "search/sampled_search.h"
#include "search/search_run.h"
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
      tell(last_);
    });
  }

  void tell(Progress told) {
    told.part = part_name(budget_.part());
    told.seconds = budget_.seconds();
    told.seconds_budget = budget_.whole();
    last_ = std::move(told);
    if (progress_) progress_(last_);
  }

 private:
  const ProgressCallback& progress_;
  Budget& budget_;
  Progress last_;
};

void search_anew(SearchRun& search, Device& device) {
  if (search.database)
    search.run = search.database->begin_run(search.problem, search.options.effort);
  if (!search.budget.is_none()) {
    const Budget::Scope scope = search.budget.enter(Part::baselines);
    search.measure_baselines();
  }
  if (!search.search_proposals() && !search.search_same_pattern()) {
    const Designs first = search_samples(search, device);
    search.search_all(first, !search.result.samples.empty());
  }
  if (search.budget.is_none()) return;
  const Budget::Scope scope = search.budget.enter(Part::comparison);
  search.complete_counterparts();
  search.hold_finals();
}

/// The run of the search is open until all is done: an interrupt leaves it unfinished.
void conclude_and_deliver(SearchRun& search, const Stopwatch& clock, const Deliver& deliver) {
  const double seconds = clock.seconds();
  const std::int64_t trials = search.result.trials_now;
  const std::string run = std::exchange(search.run, "");  // an explanation has its own
  search.result.seconds_tuned = search.seconds_before + seconds;
  if (search.options.explain) {
    const Budget::Scope scope = search.budget.enter(Part::explanation);
    search.explain();
  }
  search.conclude();
  search.result.seconds = clock.seconds();
  search.result.parts = search.budget.parts();
  const auto finish = [&] {
    search.run = run;
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
  const ProgressCallback tell = [&call](const Progress& told) { call.tell(told); };
  const Fingerprints prints = fingerprints(matrix);
  SearchRun search{.matrix = matrix,
                   .database = database,
                   .options = options,
                   .progress = tell,
                   .stop = stop,
                   .problem = problem_of(matrix, prints, device.info(), options),
                   .trial = Trial(matrix, device, options, 0),
                   .budget = budget};
  search.result.fingerprints = prints;
  search.result.device = device.info();
  search.result.csr_bytes = csr_bytes(matrix, options.dtype);
  search.trial.spare(canonical_named_designs(device.info().target));
  search.recall();
  if (options.values_vary) {
    refuse_for_varying_values(device.info().target, search.result.baseline_outcomes);
  }
  if (search.is_answered()) {
    search.result.tier = Tier::exact;
  } else {
    search_anew(search, device);
  }
  conclude_and_deliver(search, clock, deliver);
  return std::move(search.result);
}

}  // namespace alphasparse
