#include "search/space/experience.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

namespace alphasparse {

void Experience::learn(const CanonicalDesign& design, const Measurement& outcome) {
  if (!counts_as_trial(outcome)) return;
  const auto visit = [&](const std::string& beginning) {
    Tried& tried = beginnings_[beginning];
    ++tried.designs;
    if (!is_timed(outcome)) return;
    const double time_us = outcome.timing->time_us;
    tried.best_us = tried.best_us == 0 ? time_us : std::min(tried.best_us, time_us);
  };
  std::string beginning;
  visit(beginning);
  for (const Step& step : design.tree().steps) visit(beginning += step.op + ' ');
}

void Experience::weigh(const std::vector<Step>& before, const std::vector<std::string_view>& next,
                       std::vector<double>& weights) const {
  std::string beginning;
  for (const Step& step : before) beginning += step.op + ' ';
  const auto here = beginnings_.find(beginning);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (here == beginnings_.end() || sum <= 0) return;
  const auto& [designs, best_us] = here->second;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    const double due = weights[i] / sum * static_cast<double>(designs);
    const auto there = beginnings_.find(beginning + std::string(next[i]) + ' ');
    const Tried tried = there == beginnings_.end() ? Tried() : there->second;
    weights[i] *= std::sqrt((1 + due) / (1 + static_cast<double>(tried.designs)));
    if (best_us > 0 && tried.best_us > 0) weights[i] *= best_us / tried.best_us;
  }
}

}  // namespace alphasparse
