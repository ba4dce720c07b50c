#include "tools/suite/shares.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace alphasparse {

namespace {

/// The time of any work on so many non-zeros, over its time on a million.
double weight(double nnz) { return 0.5 + 0.5e-6 * nnz; }

/// The time of a design before any search has told: an H100 with 16 cores takes about as long.
double expected_seconds(double nnz) { return 0.1 * weight(nnz); }

/// Indices of those that all get their least time, the cheapest first.
std::vector<std::size_t> covered(const std::vector<PlannedSearch>& searches, double seconds) {
  std::vector<std::size_t> indices(searches.size());
  std::iota(indices.begin(), indices.end(), 0);
  std::stable_sort(indices.begin(), indices.end(), [&](std::size_t a, std::size_t b) {
    return searches[a].seconds_least < searches[b].seconds_least;
  });
  const auto is_too_much = [&](std::size_t index) {
    seconds -= searches[index].seconds_least;
    return seconds < 0;
  };
  indices.erase(std::find_if(indices.begin(), indices.end(), is_too_much), indices.end());
  return indices;
}

}  // namespace

SearchShare share_of_first(const std::vector<PlannedSearch>& searches, double seconds_left,
                           double seconds_each) {
  const std::vector<std::size_t> indices = covered(searches, seconds_left);
  const bool covers = std::find(indices.begin(), indices.end(), 0) != indices.end();
  double roots = 0, rest = seconds_left;
  for (const std::size_t index : indices) {
    roots += std::sqrt(weight(searches[index].nnz));
    rest -= searches[index].seconds_least;
  }
  if (!covers) return {false, std::max(0.0, rest)};
  const PlannedSearch& first = searches.front();
  const double share = first.seconds_least + rest * std::sqrt(weight(first.nnz)) / roots;
  return {true, std::min(share, std::max(first.seconds_least, weight(first.nnz) * seconds_each))};
}

void DesignSeconds::learn(double nnz, double seconds) {
  if (seconds > 0) known_.push_back({nnz, seconds});
}

double DesignSeconds::of(double nnz) const {
  const auto distance = [&](const Known& known) {
    return std::abs(std::log(weight(known.nnz) / weight(nnz)));
  };
  const Known* nearest = nullptr;
  for (const Known& known : known_) {  // of equals the newest
    if (!nearest || distance(known) <= distance(*nearest)) nearest = &known;
  }
  if (!nearest) return expected_seconds(nnz);
  const double by_weight = nearest->seconds * weight(nnz) / weight(nearest->nnz);
  if (nnz >= nearest->nnz) return by_weight;
  // Only a part of a larger one's time was for work that no size changes, such as compiling.
  const double by_nnz = nearest->seconds * nnz / nearest->nnz;
  return std::min(by_weight, std::max(by_nnz, expected_seconds(nnz)));
}

}  // namespace alphasparse
