#include "search/run_store.h"

#include <utility>

#include "search/problem.h"

namespace alphasparse {

void RunStore::begin(const Effort& effort) {
  if (database_) run_ = database_->begin_run(problem_, effort);
}

void RunStore::begin_baselines(const Effort& effort) {
  if (database_) baselines_ = database_->begin_run(vendor_problem(problem_), effort);
}

bool RunStore::begin_explaining(std::uint64_t seed, bool has_baselines) {
  if (!database_ || !run_.empty()) return true;
  try {
    begin({0, 0, seed});
    if (has_baselines && baselines_.empty()) begin_baselines({0, 0, seed});
  } catch (const Error& error) {
    broken_ = error;
  }
  return !broken_;
}

void RunStore::record_in(const std::string& run, const Measurement& measurement) {
  if (!database_) return;
  try {
    database_->record(run, measurement);
  } catch (const Error& error) {
    broken_ = error;
  }
}

void RunStore::finish(RunState state, double seconds, std::int64_t trials) {
  if (!database_ || run_.empty()) return;
  const std::string ended = detach_run();
  try {
    database_->finish(ended, state, seconds, trials);
    if (!baselines_.empty()) database_->finish(baselines_, state, 0, 0);
  } catch (const Error& error) {
    if (!broken_) broken_ = error;
  }
}

}  // namespace alphasparse
