#include "search/learning/rank.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/result.h"

namespace alphasparse {

namespace {

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Pearson's coefficient.
std::optional<double> correlation(std::span<const double> a, std::span<const double> b) {
  const double mean_a = mean_of(a), mean_b = mean_of(b);
  double both = 0, of_a = 0, of_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (a[i] - mean_a) * (b[i] - mean_b);
    of_a += (a[i] - mean_a) * (a[i] - mean_a);
    of_b += (b[i] - mean_b) * (b[i] - mean_b);
  }
  if (of_a == 0 || of_b == 0) return std::nullopt;
  return both / std::sqrt(of_a * of_b);
}

int sign(double difference) { return (difference > 0) - (difference < 0); }

}  // namespace

std::vector<double> ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    const double mean = static_cast<double>(first + 1 + end) / 2;
    for (; first < end; ++first) ranks[order[first]] = mean;
  }
  return ranks;
}

std::optional<double> spearman(std::span<const double> a, std::span<const double> b) {
  CHECK(a.size() == b.size());
  if (a.size() < 2) return std::nullopt;
  return correlation(ranks(a), ranks(b));
}

std::optional<double> kendall(std::span<const double> a, std::span<const double> b) {
  CHECK(a.size() == b.size());
  std::int64_t agreement = 0, untied_in_a = 0, untied_in_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const int of_a = sign(a[i] - a[k]), of_b = sign(b[i] - b[k]);
      agreement += of_a * of_b;
      untied_in_a += of_a != 0;
      untied_in_b += of_b != 0;
    }
  }
  if (untied_in_a == 0 || untied_in_b == 0) return std::nullopt;
  return static_cast<double>(agreement) /
         std::sqrt(static_cast<double>(untied_in_a) * static_cast<double>(untied_in_b));
}

std::vector<Misranking> misrankings(std::span<const double> modelled,
                                    std::span<const double> measured) {
  CHECK(modelled.size() == measured.size());
  std::vector<Misranking> found;
  for (std::size_t i = 0; i < modelled.size(); ++i) {
    for (std::size_t k = 0; k < modelled.size(); ++k) {
      if (modelled[i] < modelled[k] && measured[i] > measured[k]) {
        found.push_back({i, k, modelled[k] / modelled[i] * (measured[i] / measured[k])});
      }
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Misranking& a, const Misranking& b) { return a.factor > b.factor; });
  return found;
}

}  // namespace alphasparse
