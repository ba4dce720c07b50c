#include "search/explanation.h"

#include <spdlog/spdlog.h>

#include "generator/arrays/large_matrix.h"
#include "operators/designer.h"
#include "runtime/system/stopwatch.h"
#include "search/estimates/sample.h"
#include "search/explaining/pfs.h"

namespace alphasparse {

namespace {

/// Models a time again if the database does not hold its limits.
void report_limits(SearchRun& search, const CanonicalDesign& design, const Deadline& deadline) {
  Measurement& outcome = search.result.outcomes.find(design.text())->second;
  if (search.setting.is_measured() || !outcome.timing || outcome.timing->limits || deadline.over())
    return;
  search.trial.set_deadline(deadline);
  try {
    Measurement facts;
    auto ready = search.trial.load(design, facts);
    const auto timing =
        ready ? search.trial.time_shortly(**ready) : Result<Timing>(ready.failure());
    if (timing) outcome.timing->limits = timing->limits;
  } catch (const Error& error) {
    spdlog::warn("the limits of {} are not known: {}", design.text(), error.what());
  }
}

}  // namespace

void explain_winner(SearchRun& search, LastComparison& comparison) {
  const SearchSetting& setting = search.setting;
  if (search.result.broken || !find_best(search.result.outcomes)) return;
  const Stopwatch clock;
  const std::int64_t trials_before = search.result.trials_now;
  const auto try_designs = [&](const Designs& reverted) {
    if (search.result.broken ||
        !search.store.begin_explaining(setting.options.effort.seed, setting.is_measured()))
      return;
    const std::vector<std::string> before = comparison.answers();
    Allowance allowance{search.budget.left_of_part()};
    if (search.budget.limits_trials())
      allowance.trials = static_cast<std::int64_t>(reverted.size());
    search.trial.exempt(reverted);  // their times are asked for, however long they are
    search.try_designs(reverted, allowance);
    for (const CanonicalDesign& design : reverted) {
      if (search.result.outcomes.contains(design.text()))
        search.result.origins.try_emplace(design.text(), "explain");
    }
    if (comparison.answers() == before) return;
    search.complete_counterparts();
    comparison.hold();
  };
  // Its reasons are the matrix's own where the memory does for stores of it.
  const bool is_large = setting.matrix.nnz() > large_nnz;
  const std::optional<Matrix> part = is_large ? part_to_apply(setting.matrix) : std::nullopt;
  Designer designer(part ? *part : setting.matrix, search.result.device.target);
  SearchLimits limits;
  limits.unmodelled = setting.is_measured();
  limits.values_vary = setting.options.values_vary;
  limits.may_round = setting.options.may_round;
  limits.own_order = setting.options.own_order;
  limits.vectors = setting.options.vectors;
  const Measurement* const named = best_named(search.result.outcomes).outcome;
  const Deadline bounded{Deadline::after(search.budget.left_of_part()), &setting.stop};
  search.result.explanation = explain({designer, search.features(), limits}, search.designs,
                                      named ? &search.find_design(*named) : nullptr,
                                      search.result.outcomes, try_designs, bounded);
  search.result.trials_explaining = search.result.trials_now - trials_before;
  search.finish(clock.seconds(), search.result.trials_explaining);
  const Deadline deadline{{}, &setting.stop};
  report_limits(search, search.find_design(*find_best(search.result.outcomes)), deadline);
  if (named) report_limits(search, search.find_design(*named), deadline);
}

}  // namespace alphasparse
