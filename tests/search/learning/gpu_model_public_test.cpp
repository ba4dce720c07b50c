// gpu_model_public_test: the figures of a source, worked by hand, and the host's overhead.
#include "search/learning/gpu_model_public.h"

#include <gtest/gtest.h>

#include <cmath>

namespace alphasparse {
namespace {

/// Designs of matrices 0 and 1 with these measured times.
Comparison of_times(const std::vector<std::pair<std::size_t, double>>& times) {
  Comparison comparison;
  comparison.gpu = *find_gpu_model("v100");
  comparison.l1_shares = {1};
  comparison.matrices = {"a", "b", "without designs"};
  for (const auto& [matrix, measured_us] : times) {
    ComparedDesign& design = comparison.designs.emplace_back();
    design.matrix = matrix;
    design.measured_us = measured_us;
  }
  return comparison;
}

TEST(PublicFigures, AreThoseWorkedByHand) {
  // Over 20 % apart: 10 and 20, 10 and 30, 20 and 30 of a; 40 and 100 of b, not 40 and 44.
  const Comparison comparison = of_times({{0, 10}, {0, 20}, {0, 30}, {1, 40}, {1, 44}, {1, 100}});
  const std::vector<double> modelled = {15, 12, 30, 60, 50, 100};
  const PublicFigures figures = public_figures(comparison, modelled);
  EXPECT_EQ(figures.designs, 6);
  EXPECT_EQ(figures.matrices, 2);
  EXPECT_EQ(figures.pairs, 5);
  EXPECT_DOUBLE_EQ(*figures.pairs_right, 0.8) << "10 and 20 are the wrong way round";
  EXPECT_NEAR(*figures.pick_cost, std::sqrt(2 * 1.1), 1e-12) << "20 for 10, and 44 for 40";
  EXPECT_NEAR(*figures.spearman, 0.5, 1e-12);
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < modelled.size(); ++i) {
    const double log =
        std::log((modelled[i] + figures.host_us) / comparison.designs[i].measured_us);
    sum += log;
    squares += log * log;
  }
  EXPECT_NEAR(figures.error_factor, std::exp(std::sqrt(squares / 6 - sum * sum / 36)), 1e-9);
}

TEST(PublicFigures, FindTheHostsOverhead) {
  const Comparison comparison = of_times({{0, 12}, {0, 15}, {1, 110}});
  const std::vector<double> modelled = {2, 5, 100};
  EXPECT_NEAR(fitted_host_us(comparison, modelled), 10, 0.01);
  const PublicFigures figures = public_figures(comparison, modelled);
  EXPECT_NEAR(figures.error_factor, 1, 1e-3);
  EXPECT_NEAR(figures.ratio, 1, 1e-3);
  EXPECT_EQ(fitted_host_us(comparison, std::vector<double>{13, 16, 120}), 0) << "never below 0";
}

TEST(PublicFigures, OfOneDesignAMatrixSayNothingOfOrder) {
  const Comparison comparison = of_times({{0, 12}, {1, 110}});
  const PublicFigures figures = public_figures(comparison, std::vector<double>{12, 110});
  EXPECT_EQ(figures.pairs, 0);
  EXPECT_FALSE(figures.pairs_right);
  EXPECT_FALSE(figures.pick_cost);
}

TEST(PublicFit, FindsConstantsThroughTheHostsOverheads) {
  Comparison a = of_times({}), b = a;
  b.gpu = *find_gpu_model("a100");
  ModelConstants truth;
  truth.dram_efficiency = 0.6;
  for (Comparison* const comparison : {&a, &b}) {
    for (int i = 1; i <= 12; ++i) {
      LaunchWork work;
      work.dram_sectors = 1e5 * i * i;
      ComparedDesign& design = comparison->designs.emplace_back();
      design.matrix = static_cast<std::size_t>(i % 2);
      design.works = {{work}};
    }
    const std::vector<double> times = modelled_times_us(*comparison, truth);
    for (std::size_t i = 0; i < times.size(); ++i)
      comparison->designs[i].measured_us = times[i] + (comparison == &a ? 3 : 9);
  }
  const std::vector<const Comparison*> sources = {&a, &b};
  const ModelConstants fitted = fit_constants_to(sources);
  EXPECT_NEAR(fitted.dram_efficiency, 0.6, 0.02);
  EXPECT_NEAR(fitted.queued_scale, ModelConstants().queued_scale, 0.01) << "no time speaks of it";
}

}  // namespace
}  // namespace alphasparse
