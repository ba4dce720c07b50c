#include "search/recall.h"

#include <spdlog/spdlog.h>

#include "operators/targets.h"
#include "runtime/device/baseline_kernels.h"
#include "search/explaining/pfs.h"
#include "search/problem.h"
#include "search/strategies/shipped_start.h"

namespace alphasparse {

namespace {

/// The outcomes without names that are none of the vendor's algorithms.
Outcomes keep_vendors(Outcomes outcomes) {
  std::erase_if(outcomes, [](const auto& entry) { return !find_baseline(entry.first); });
  return outcomes;
}

}  // namespace

Recall::Recall(SearchRun& search) : search_(search) {
  Database* const database = search.setting.database;
  const Problem& problem = search.setting.problem;
  TuneResult& result = search.result;
  if (!database || search.setting.options.fresh) return;
  if (search.setting.is_measured()) {
    result.baseline_outcomes =
        keep_vendors(database->outcomes(vendor_problem(problem), Origin::here));
  }
  result.outcomes = keep_designs(database->outcomes(problem, Origin::here));
  proposals_ = keep_designs(database->outcomes(problem, Origin::elsewhere));
  if (result.outcomes.empty()) return;
  drop_forbidden();
  result.tier = Tier::resumed;
  const Effort spent = database->spent(problem, search.setting.options.effort.seed);
  seconds_before_ = spent.seconds;
  search.budget.resume(spent);
}

/// The outcomes without texts that are no designs of this target in their one spelling. A search
/// could not use those.
Outcomes Recall::keep_designs(Outcomes outcomes) {
  std::erase_if(outcomes, [&](const auto& entry) {
    const CanonicalDesign* const design = search_.designs.find(entry.first);
    return !design || *design != entry.first ||
           find_target(design->tree()) != search_.result.device.target;
  });
  return outcomes;
}

bool Recall::is_answered() const {
  const SearchSetting& setting = search_.setting;
  if (search_.result.tier != Tier::resumed || !find_best(search_.result.outcomes)) return false;
  return setting.database->is_complete(setting.problem, setting.options.effort_enough());
}

/// Fails the designs that were best before, as long as this call's rules do not allow them.
void Recall::drop_forbidden() {
  while (const Measurement* const best = find_best(search_.result.outcomes)) {
    const auto forbidden = search_.trial.no_answer_reason(search_.find_design(*best));
    if (!forbidden) return;
    fail(search_.result.outcomes.find(best->design)->second, *forbidden);
  }
}

bool Recall::search_known() { return search_proposals() || search_same_pattern(); }

bool Recall::search_proposals() {
  const SearchSetting& setting = search_.setting;
  if (!search_best(proposals_)) return false;
  if (!setting.database->is_complete(setting.problem, setting.options.effort_enough(),
                                     Origin::elsewhere))
    return false;
  if (search_.result.tier == Tier::none) search_.result.tier = Tier::proposed;
  return true;
}

bool Recall::search_same_pattern() {
  const SearchSetting& setting = search_.setting;
  if (!setting.database || setting.options.fresh || search_.result.tier != Tier::none) return false;
  const std::optional<Problem> other =
      setting.database->same_pattern(setting.problem, setting.options.effort_enough());
  if (!other || !search_best(keep_designs(setting.database->outcomes(*other)))) return false;
  search_.result.tier = Tier::pattern;
  return true;
}

/// Tries the best of the outcomes and the best named design; true where the first of them is right.
bool Recall::search_best(const Outcomes& outcomes) {
  Designs wanted;
  if (const Measurement* best = find_best(outcomes)) wanted.push_back(search_.find_design(*best));
  const Measurement* const named = best_named(outcomes).outcome;
  if (named && (wanted.empty() || wanted.front() != named->design)) {
    wanted.push_back(search_.find_design(*named));
  }
  if (wanted.empty()) return false;
  search_.try_designs(wanted, search_.budget.allow_trials());
  const auto first = search_.result.outcomes.find(wanted.front().text());
  if (search_.result.broken) return true;
  return first != search_.result.outcomes.end() && first->second.status == Status::ok;
}

WarmStart recall_elsewhere(SearchRun& search) {
  const SearchSetting& setting = search.setting;
  TuneResult& result = search.result;
  WarmStart warm;
  if (setting.options.fresh) return warm;
  if (setting.database) try {
      warm = warm_start(*setting.database, setting.problem, search.features());
      result.warm_matrices = warm.matrix_names();
      if (result.tier == Tier::none && !warm.designs.empty())
        result.tier = warm.is_elsewhere ? Tier::elsewhere : Tier::nearest;
    } catch (const Error& error) {
      spdlog::warn("nothing is known from elsewhere: {}", error.what());
    }
  if (setting.options.experience && setting.options.vectors == 1)  // of which it tells
    add_shipped(warm, shipped_experience(result.device.target), search.features());
  result.similar_matrices = warm.similar.size();
  result.shipped_matrices = warm.shipped_matrices;
  return warm;
}

}  // namespace alphasparse
