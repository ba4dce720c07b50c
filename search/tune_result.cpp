#include "search/tune_result.h"

#include <algorithm>

namespace alphasparse {

const char* tier_name(Tier tier) {
  switch (tier) {
    case Tier::none:
      return "none";
    case Tier::nearest:
      return "nearest";
    case Tier::elsewhere:
      return "elsewhere";
    case Tier::resumed:
      return "resumed";
    case Tier::pattern:
      return "pattern";
    case Tier::proposed:
      return "proposed";
    case Tier::exact:
      return "exact";
  }
  CHECK(!"a tier without a name");
}

std::map<std::string, std::int64_t> TuneResult::statuses() const {
  std::map<std::string, std::int64_t> counts;
  for (const auto& [design, outcome] : outcomes) ++counts[status_name(outcome.status)];
  return counts;
}

std::optional<double> TuneResult::times_vendor(const std::optional<Measurement>& ours) const {
  if (!ours || !ours->timing || !vendor || !vendor->timing) return std::nullopt;
  return vendor->timing->time_us / ours->timing->time_us;
}

std::vector<const Measurement*> TuneResult::baselines_in_order() const {
  std::vector<const Measurement*> outcomes;
  for (const Baseline& algorithm : algorithms()) {
    const auto found = baseline_outcomes.find(algorithm.name);
    if (found != baseline_outcomes.end()) outcomes.push_back(&found->second);
  }
  return outcomes;
}

BaselineCount TuneResult::baseline_count() const {
  return count_baselines(algorithms(), baselines_in_order());
}

std::int64_t TuneResult::untried_baselines() const {
  return baseline_outcomes.empty() ? 0 : baseline_count().unreached();
}

std::optional<double> TuneResult::spmvs_to_pay() const {
  if (!winner || !winner->timing || !vendor || !vendor->timing) return std::nullopt;
  const double gain_us = vendor->timing->time_us - winner->timing->time_us;
  if (gain_us <= 0) return std::nullopt;
  const double cost_us = 1e6 * seconds_tuned + preparation_us(*winner) - preparation_us(*vendor);
  return std::max(0.0, cost_us) / gain_us;
}

}  // namespace alphasparse
