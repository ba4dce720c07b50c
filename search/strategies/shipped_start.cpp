#include "search/strategies/shipped_start.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "search/learning/likeness.h"

namespace alphasparse {

namespace {

struct Near {
  double distance = 0;
  const ShippedMatrix* matrix = nullptr;
};

/// The nearest first.
std::vector<Near> find_nearest(const ShippedExperience& experience, const Features& features,
                               const ShippedStartOptions& options) {
  std::set<std::string> origins_left_out;
  std::vector<const Features*> known;
  for (const ShippedMatrix& matrix : experience.matrices) {
    if (matrix.pattern == options.pattern_left_out) origins_left_out.insert(matrix.origin);
    known.push_back(&matrix.features);
  }
  const Likeness likeness(features, known);
  std::vector<Near> all;
  for (const ShippedMatrix& matrix : experience.matrices) {
    if (!origins_left_out.contains(matrix.origin))
      all.push_back({likeness.distance(matrix.features), &matrix});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Near& a, const Near& b) { return a.distance < b.distance; });
  all.resize(std::min(all.size(), options.nearest));
  return all;
}

/// The designs that were fast there, the fastest first.
std::vector<std::string> fast_designs(const ShippedMatrix& matrix,
                                      const ShippedStartOptions& options) {
  std::vector<std::pair<double, std::string>> fast;
  for (const auto& [design, ratio] : matrix.ratios) {
    if (ratio <= options.fast) fast.emplace_back(ratio, design);
  }
  std::sort(fast.begin(), fast.end());
  fast.resize(std::min(fast.size(), options.fast_each));
  std::vector<std::string> designs;
  for (auto& [ratio, design] : fast) designs.push_back(std::move(design));
  return designs;
}

}  // namespace

void add_shipped(WarmStart& warm, const ShippedExperience& experience, const Features& features,
                 const ShippedStartOptions& options) {
  for (const Near& near : find_nearest(experience, features, options)) {
    const double weight = options.weight * std::pow(1 + near.distance, -options.fall);
    warm.shipped.push_back({weight, near.matrix->ratios});
    warm.shipped_matrices.push_back(near.matrix->name);
    for (const std::string& text : fast_designs(*near.matrix, options)) {
      const CanonicalDesign design = CanonicalDesign::read(text).value();
      const bool is_new =
          std::find(warm.listed.begin(), warm.listed.end(), design) == warm.listed.end();
      if (is_new) warm.listed.push_back(design);
    }
  }
}

}  // namespace alphasparse
