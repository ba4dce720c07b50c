#include "search/learning/gpu_model_agreement.h"

#include <algorithm>
#include <cmath>

#include "search/learning/mean.h"
#include "search/learning/rank.h"

namespace alphasparse {

namespace {

/// The designs of one matrix, side by side.
struct OfMatrix {
  std::vector<std::size_t> indices;
  std::vector<double> modelled_us, measured_us;
};

OfMatrix of_matrix(const Comparison& comparison, std::span<const double> times_us,
                   std::size_t matrix) {
  OfMatrix designs;
  for (std::size_t i = 0; i < comparison.designs.size(); ++i) {
    if (comparison.designs[i].matrix != matrix) continue;
    designs.indices.push_back(i);
    designs.modelled_us.push_back(times_us[i]);
    designs.measured_us.push_back(comparison.designs[i].measured_us);
  }
  return designs;
}

}  // namespace

Agreement matrix_agreement(const Comparison& comparison, std::span<const double> times_us,
                           std::size_t matrix) {
  const OfMatrix designs = of_matrix(comparison, times_us, matrix);
  Agreement result;
  result.designs = static_cast<std::int64_t>(designs.indices.size());
  if (result.designs == 0) return result;
  result.spearman = spearman(designs.modelled_us, designs.measured_us);
  result.kendall = kendall(designs.modelled_us, designs.measured_us);
  GeometricMean errors;
  for (std::size_t i = 0; i < designs.indices.size(); ++i) {
    const double factor = designs.modelled_us[i] / designs.measured_us[i];
    errors.add(std::max(factor, 1 / factor));
  }
  result.error_factor = *errors.value();
  const auto pick = std::min_element(designs.modelled_us.begin(), designs.modelled_us.end()) -
                    designs.modelled_us.begin();
  result.pick_ratio = designs.measured_us[pick] /
                      *std::min_element(designs.measured_us.begin(), designs.measured_us.end());
  result.pairs = result.designs * (result.designs - 1) / 2;
  result.misranked =
      static_cast<std::int64_t>(misrankings(designs.modelled_us, designs.measured_us).size());
  return result;
}

Agreement agreement(const Comparison& comparison, std::span<const double> times_us) {
  Agreement all;
  Mean spearman, kendall;
  GeometricMean pick_ratio;
  double error_logs = 0;
  for (std::size_t matrix = 0; matrix < comparison.matrices.size(); ++matrix) {
    const Agreement one = matrix_agreement(comparison, times_us, matrix);
    if (one.designs == 0) continue;
    all.designs += one.designs;
    all.pairs += one.pairs;
    all.misranked += one.misranked;
    spearman.add(one.spearman);
    kendall.add(one.kendall);
    pick_ratio.add(one.pick_ratio);
    error_logs += std::log(one.error_factor) * static_cast<double>(one.designs);
  }
  if (all.designs == 0) return all;
  all.spearman = spearman.value();
  all.kendall = kendall.value();
  all.error_factor = std::exp(error_logs / static_cast<double>(all.designs));
  all.pick_ratio = *pick_ratio.value();
  return all;
}

std::vector<MisrankedPair> worst_misrankings(const Comparison& comparison,
                                             std::span<const double> times_us, std::size_t most) {
  std::vector<MisrankedPair> worst;
  for (std::size_t matrix = 0; matrix < comparison.matrices.size(); ++matrix) {
    const OfMatrix designs = of_matrix(comparison, times_us, matrix);
    for (const Misranking& pair : misrankings(designs.modelled_us, designs.measured_us))
      worst.push_back({designs.indices[pair.preferred], designs.indices[pair.better], pair.factor});
  }
  std::stable_sort(worst.begin(), worst.end(), [](const MisrankedPair& a, const MisrankedPair& b) {
    return a.factor > b.factor;
  });
  if (worst.size() > most) worst.resize(most);
  return worst;
}

}  // namespace alphasparse
