#include "search/strategies/similar_times.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace alphasparse {

namespace {

constexpr double own_weight = 0.5;       // of the expectation
constexpr std::size_t common_least = 3;  // fewer designs have no middle

struct Correction {
  double sum = 0, weight = own_weight;  // of logarithms
};

using Differences = std::vector<std::pair<double, const CanonicalDesign*>>;

/// The logarithms of the times there over the times that are expected here.
Differences find_differences(const ExpectedTimes& expected, const SimilarTimes& other) {
  Differences differences;
  for (const auto& [design, us] : expected) {
    const auto there = other.us.find(design.text());
    if (there != other.us.end() && us > 0 && std::isfinite(us))
      differences.emplace_back(std::log(there->second / us), &design);
  }
  return differences;
}

}  // namespace

ExpectedTimes corrected(const ExpectedTimes& expected, const std::vector<SimilarTimes>& similar) {
  std::map<CanonicalDesign, Correction> corrections;
  for (const SimilarTimes& other : similar) {
    Differences differences = find_differences(expected, other);
    if (differences.size() < common_least) continue;
    const auto middle = differences.begin() + static_cast<std::ptrdiff_t>(differences.size() / 2);
    std::nth_element(differences.begin(), middle, differences.end());
    const double usual = middle->first;
    for (const auto& [difference, design] : differences) {
      Correction& correction = corrections[*design];
      correction.sum += other.weight * (difference - usual);
      correction.weight += other.weight;
    }
  }
  ExpectedTimes times = expected;
  for (const auto& [design, correction] : corrections)
    times[design] *= std::exp(correction.sum / correction.weight);
  return times;
}

}  // namespace alphasparse
