#include "search/strategies/cover_set.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace alphasparse {

namespace {

constexpr double regret_max = 1;
constexpr double tie_least = 1e-9;

struct Regret {
  std::size_t problem = 0;
  double regret = 0;
};

std::map<std::string, std::vector<Regret>> regrets_by_design(
    const std::vector<CoveredProblem>& problems) {
  std::map<std::string, std::vector<Regret>> by_design;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    if (problems[i].empty()) continue;
    const auto fastest =
        std::min_element(problems[i].begin(), problems[i].end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    for (const auto& [design, time_us] : problems[i]) {
      const double regret = time_us / fastest->second - 1;
      if (regret < regret_max) by_design[design].push_back({i, regret});
    }
  }
  return by_design;
}

}  // namespace

std::vector<CoverDesign> cover_set(const std::vector<CoveredProblem>& problems, std::size_t most) {
  const auto by_design = regrets_by_design(problems);
  std::vector<double> left(problems.size(), regret_max);
  std::vector<CoverDesign> chosen;
  while (chosen.size() < most) {
    const std::pair<const std::string, std::vector<Regret>>* best = nullptr;
    double best_gain = 0;
    for (const auto& entry : by_design) {
      double gain = 0;
      for (const Regret& on : entry.second) gain += std::max(0.0, left[on.problem] - on.regret);
      const bool ties = best && gain > best_gain - tie_least;
      const bool wins =
          gain > best_gain + tie_least || (ties && entry.first.size() < best->first.size());
      if (!wins) continue;
      best = &entry;
      best_gain = gain;
    }
    if (!best) break;
    CoverDesign one{best->first, problems.size()};
    for (const Regret& on : best->second) {
      if (on.regret >= left[on.problem]) continue;
      left[on.problem] = on.regret;
      one.best_on = std::min(one.best_on, on.problem);
    }
    chosen.push_back(std::move(one));
  }
  return chosen;
}

}  // namespace alphasparse
