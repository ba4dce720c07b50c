#include "search/learning/gpu_model_public.h"

#include <algorithm>
#include <cmath>

#include "base/result.h"
#include "search/learning/gpu_model_agreement.h"
#include "search/learning/mean.h"

namespace alphasparse {

namespace {

constexpr double told_apart = 1.2;  // factor between measured times that means something

double squared_errors(const Comparison& comparison, std::span<const double> times_us,
                      double host_us) {
  double squares = 0;
  for (std::size_t i = 0; i < times_us.size(); ++i) {
    const double error = std::log((times_us[i] + host_us) / comparison.designs[i].measured_us);
    squares += error * error;
  }
  return squares;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void add_errors(const Comparison& comparison, std::span<const double> times_us,
                PublicFigures& figures) {
  std::vector<double> logs;
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < times_us.size(); ++i) {
    logs.push_back(std::log((times_us[i] + figures.host_us) / comparison.designs[i].measured_us));
    sum += logs.back();
  }
  const double mean = sum / static_cast<double>(logs.size());
  for (const double log : logs) squares += (log - mean) * (log - mean);
  figures.error_factor = std::exp(std::sqrt(squares / static_cast<double>(logs.size())));
  figures.ratio = std::exp(median(logs));
}

void add_pairs(const Comparison& comparison, std::span<const double> times_us,
               PublicFigures& figures) {
  std::int64_t right = 0;
  for (std::size_t a = 0; a < times_us.size(); ++a) {
    const ComparedDesign& slower = comparison.designs[a];
    for (std::size_t b = 0; b < times_us.size(); ++b) {
      const ComparedDesign& faster = comparison.designs[b];
      if (slower.matrix != faster.matrix) continue;
      if (slower.measured_us <= told_apart * faster.measured_us) continue;
      ++figures.pairs;
      right += times_us[a] > times_us[b];
    }
  }
  if (figures.pairs > 0)
    figures.pairs_right = static_cast<double>(right) / static_cast<double>(figures.pairs);
}

void add_picks(const Comparison& comparison, std::span<const double> times_us,
               PublicFigures& figures) {
  GeometricMean costs;
  Mean correlations;
  for (std::size_t matrix = 0; matrix < comparison.matrices.size(); ++matrix) {
    const Agreement one = matrix_agreement(comparison, times_us, matrix);
    figures.matrices += one.designs > 0;
    if (one.designs < 2) continue;
    costs.add(one.pick_ratio);
    correlations.add(one.spearman);
  }
  figures.pick_cost = costs.value();
  figures.spearman = correlations.value();
}

}  // namespace

double fitted_host_us(const Comparison& comparison, std::span<const double> times_us) {
  CHECK(!times_us.empty() && times_us.size() == comparison.designs.size());
  double most = 0;
  for (const ComparedDesign& design : comparison.designs)
    most = most == 0 ? design.measured_us : std::min(most, design.measured_us);
  // No more than the least measured time; scanned, then narrowed.
  constexpr int steps = 32, rounds = 4;
  double best = 0, width = most;
  double least = squared_errors(comparison, times_us, 0);
  for (int round = 0; round < rounds; ++round) {
    const double low = std::max(0.0, best - width), high = std::min(most, best + width);
    for (int step = 0; step <= steps; ++step) {
      const double host_us = low + (high - low) * step / steps;
      const double squares = squared_errors(comparison, times_us, host_us);
      if (squares < least) {
        least = squares;
        best = host_us;
      }
    }
    width /= steps / 2;
  }
  return best;
}

PublicFigures public_figures(const Comparison& comparison, std::span<const double> times_us) {
  PublicFigures figures;
  figures.designs = static_cast<std::int64_t>(times_us.size());
  figures.host_us = fitted_host_us(comparison, times_us);
  add_errors(comparison, times_us, figures);
  add_pairs(comparison, times_us, figures);
  add_picks(comparison, times_us, figures);
  return figures;
}

ModelConstants fit_constants_to(std::span<const Comparison* const> sources) {
  const auto squares = [&](const ModelConstants& constants) {
    double sum = 0;
    std::size_t designs = 0;
    for (const Comparison* const source : sources) {
      const std::vector<double> times = modelled_times_us(*source, constants);
      sum += squared_errors(*source, times, fitted_host_us(*source, times));
      designs += times.size();
    }
    return sum / static_cast<double>(designs);
  };
  return least_constants(squares, ModelConstants().l1_share);
}

}  // namespace alphasparse
