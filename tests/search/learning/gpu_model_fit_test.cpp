// gpu_model_fit_test: measured times that the model itself has made with other constants give those
// constants back; noise bends them little; times that have nothing to do with the model's are seen
// to have nothing to do with it.
#include "search/learning/gpu_model_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "search/learning/gpu_model_agreement.h"
#include "search/learning/minimise.h"

namespace alphasparse {
namespace {

TEST(Minimise, FindsTheFloorOfAskewValleysAndOfKinks) {
  const auto askew = [](std::span<const double> at) {
    const double along = at[0] + at[1] - 1.1, across = at[0] - at[1] - 0.3;
    return 1 + along * along * 100 + across * across;
  };
  const Minimum smooth = minimise(askew, {0, 0});
  EXPECT_NEAR(smooth.point[0], 0.7, 1e-3);
  EXPECT_NEAR(smooth.point[1], 0.4, 1e-3);
  EXPECT_NEAR(smooth.value, 1, 1e-6);
  const auto kinked = [](std::span<const double> at) {
    return 0.1 + std::abs(at[0] - 0.2) + std::max(std::abs(at[1] - 0.9), std::abs(at[2] - 0.5));
  };
  const Minimum corner = minimise(kinked, {1, 0, 0});
  EXPECT_NEAR(corner.value, 0.1, 1e-3);
  const auto outside = [](std::span<const double> at) { return 2 + at[0]; };
  EXPECT_EQ(minimise(outside, {0.4}).point[0], 0) << "the cube ends there";
  const auto flat = [](std::span<const double>) { return 3.0; };
  EXPECT_EQ(minimise(flat, {0.4, 0.6}).point, (Point{0.4, 0.6})) << "nothing is gained by moving";
}

/// Designs that each ask most of another part of the GPU, by the assumed constants, and others that
/// ask about as much of two.
Comparison made_comparison(int matrices) {
  Comparison comparison;
  comparison.gpu = *find_gpu_model("h200");
  comparison.l1_shares = {0.25, 0.5, 1};
  std::mt19937_64 random(7);
  const auto between = [&](double low, double high) {
    return low * std::pow(high / low, std::uniform_real_distribution<double>(0, 1)(random));
  };
  for (int matrix = 0; matrix < matrices; ++matrix) {
    comparison.matrices.push_back("made " + std::to_string(matrix));
    for (int kind = 0; kind < 14; ++kind) {
      LaunchWork work;
      const double us = between(10, 200);
      const auto asked = [&](int part) { return kind % 7 == part ? us : us * between(0.02, 0.8); };
      work.busy = comparison.gpu.multiprocessors;
      work.imbalance = between(1, 4);
      work.dram_sectors = asked(0) * 4.8e6 / 32;
      const double l2_sectors = asked(1) * 9.7e6 / 32;
      work.lsu_cycles = asked(2) * 261e3;
      work.basic_blocks = asked(3) * 157e3;
      const bool on_one_line = kind % 2 == 0;  // else all over L2
      (on_one_line ? work.atomic_hottest : work.atomic_passes) =
          asked(4) * 1e3 / (on_one_line ? 1.25 : 0.026);
      work.longest.l1 = asked(5) * 1e3 / comparison.gpu.l1_ns;
      work.each.l1 = asked(6) * 1e3 / comparison.gpu.l1_ns;
      ComparedDesign design;
      design.matrix = static_cast<std::size_t>(matrix);
      design.name = "design " + std::to_string(kind);
      const double missed = between(1, 2);
      for (const double share : comparison.l1_shares) {
        work.l2_whole = l2_sectors * (1 + missed * (1 - share));
        design.works.push_back({work});
      }
      comparison.designs.push_back(std::move(design));
    }
  }
  return comparison;
}

ModelConstants other_constants() {
  ModelConstants constants;
  constants.launch_scale = 1.4;
  constants.dram_efficiency = 0.75;
  constants.l2_efficiency = 0.8;
  constants.instructions_scale = 1.8;
  constants.atomic_pass_ns = 0.05;
  constants.atomic_line_ns = 2.2;
  constants.longest_scale = 2.4;
  constants.queued_scale = 0.56;
  constants.tail = 0.5;
  constants.l1_share = 0.5;
  return constants;
}

void measure(Comparison& comparison, const ModelConstants& truth, double noise = 0) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  const std::vector<double> times = modelled_times_us(comparison, truth);
  for (std::size_t i = 0; i < times.size(); ++i)
    comparison.designs[i].measured_us = times[i] * std::exp(noise * normal(random));
}

TEST(ModelFit, FindsTheConstantsThatMadeTheTimes) {
  Comparison comparison = made_comparison(6);
  const ModelConstants truth = other_constants();
  measure(comparison, truth);
  const Agreement before = agreement(comparison, modelled_times_us(comparison, {}));
  EXPECT_GT(before.error_factor, 1.2);
  EXPECT_LT(*before.spearman, 0.98);
  EXPECT_GT(before.misranked, 0);

  const ModelConstants fitted = fit_constants(comparison);
  for (const ConstantRange& range : constant_ranges()) {
    EXPECT_NEAR(fitted.*range.member / (truth.*range.member), 1, 0.03) << range.name;
    EXPECT_GT(times_moved(comparison, fitted, &range), 0) << range.name;
  }
  EXPECT_EQ(fitted.l1_share, truth.l1_share);
  EXPECT_GT(times_moved(comparison, fitted, nullptr), 0);
  const Agreement after = agreement(comparison, modelled_times_us(comparison, fitted));
  EXPECT_LT(after.error_factor, 1.01);
  EXPECT_GT(*after.spearman, 0.999);
  EXPECT_GT(*after.kendall, 0.99);
  EXPECT_LT(after.pick_ratio, 1.01);

  const Agreement held_out = agreement(comparison, held_out_times_us(comparison));
  EXPECT_LT(held_out.error_factor, 1.02);
  EXPECT_GT(*held_out.spearman, 0.99);
}

TEST(ModelFit, NoiseDoesNotBreakIt) {
  Comparison comparison = made_comparison(12);
  const ModelConstants truth = other_constants();
  measure(comparison, truth, 0.10);
  const ModelConstants fitted = fit_constants(comparison);
  for (const ConstantRange& range : constant_ranges()) {
    if (!range.by_factors) continue;
    EXPECT_NEAR(fitted.*range.member / (truth.*range.member), 1, 0.25) << range.name;
  }
  const Agreement before = agreement(comparison, modelled_times_us(comparison, {}));
  const Agreement held_out = agreement(comparison, held_out_times_us(comparison));
  EXPECT_LT(held_out.error_factor, 1.13) << "the noise itself is 1.08";
  EXPECT_LT(held_out.error_factor, before.error_factor);
  EXPECT_GT(*held_out.spearman, 0.9);
}

TEST(ModelFit, ConstantsThatNoTimeDependsOnStayAsAssumed) {
  Comparison comparison = made_comparison(2);
  for (ComparedDesign& design : comparison.designs) {
    for (std::vector<LaunchWork>& works : design.works) {
      LaunchWork only;
      only.basic_blocks = works.front().basic_blocks;
      only.busy = works.front().busy;
      works = {only, only};
    }
  }
  ModelConstants truth;
  truth.instructions_scale = 3;
  measure(comparison, truth);
  const ModelConstants fitted = fit_constants(comparison), assumed;
  for (const ConstantRange& range : constant_ranges()) {
    const double wanted = truth.*range.member;
    EXPECT_NEAR(fitted.*range.member, wanted, 0.02 * wanted) << range.name;
    const bool spoken_of = range.member == &ModelConstants::instructions_scale ||
                           range.member == &ModelConstants::launch_scale;
    EXPECT_EQ(times_moved(comparison, fitted, &range) > 0, spoken_of) << range.name;
  }
  EXPECT_EQ(fitted.l1_share, assumed.l1_share);
  EXPECT_EQ(times_moved(comparison, fitted, nullptr), 0);
}

TEST(ModelFit, TimesThatWereShuffledAgreeWithNothing) {
  Comparison comparison = made_comparison(12);
  measure(comparison, {});
  ASSERT_NEAR(*agreement(comparison, modelled_times_us(comparison, {})).spearman, 1, 1e-9);
  std::vector<double> measured;
  for (const ComparedDesign& design : comparison.designs) measured.push_back(design.measured_us);
  std::shuffle(measured.begin(), measured.end(), std::mt19937_64(3));
  for (std::size_t i = 0; i < measured.size(); ++i) comparison.designs[i].measured_us = measured[i];
  const Agreement shuffled = agreement(comparison, modelled_times_us(comparison, {}));
  EXPECT_LT(std::abs(*shuffled.spearman), 0.25);
  EXPECT_LT(std::abs(*shuffled.kendall), 0.25);
  EXPECT_GT(shuffled.error_factor, 1.5);
  EXPECT_GT(shuffled.misranked * 3, shuffled.pairs);
}

TEST(ModelFit, AMatrixIsPredictedWithoutItsOwnTimes) {
  // Twice as slow on the first matrix as the constants of all others say: what is fitted without it
  // is off by that factor there, and hardly anywhere else.
  Comparison comparison = made_comparison(5);
  measure(comparison, {});
  for (ComparedDesign& design : comparison.designs)
    design.measured_us *= design.matrix == 0 ? 2 : 1;
  const std::vector<double> times = held_out_times_us(comparison);
  EXPECT_NEAR(matrix_agreement(comparison, times, 0).error_factor, 2, 0.02);
  const ModelConstants others = fit_constants(comparison, 0);
  EXPECT_NEAR(others.dram_efficiency, ModelConstants().dram_efficiency, 0.01);
  EXPECT_LT(
      agreement(comparison, modelled_times_us(comparison, fit_constants(comparison))).error_factor,
      agreement(comparison, times).error_factor)
      << "what was fitted to looks better than what was not";
}

TEST(ModelAgreement, IsThatWorkedByHand) {
  Comparison comparison;
  comparison.matrices = {"a", "b", "without designs"};
  for (const auto& [matrix, measured_us] :
       {std::pair{0, 6.0}, {0, 4.0}, {1, 5.0}, {1, 10.0}, {0, 3.0}}) {
    ComparedDesign design;
    design.matrix = static_cast<std::size_t>(matrix);
    design.measured_us = measured_us;
    comparison.designs.push_back(design);
  }
  const std::vector<double> times = {3, 4, 5, 20, 6};
  const Agreement a = matrix_agreement(comparison, times, 0);
  EXPECT_EQ(a.designs, 3);
  EXPECT_NEAR(*a.spearman, -1, 1e-12);
  EXPECT_NEAR(a.error_factor, std::cbrt(2 * 1 * 2), 1e-12);
  EXPECT_EQ(a.pick_ratio, 2) << "6 us where 3 were to be had";
  EXPECT_EQ(a.pairs, 3);
  EXPECT_EQ(a.misranked, 3);
  EXPECT_EQ(matrix_agreement(comparison, times, 2).designs, 0);
  const Agreement all = agreement(comparison, times);
  EXPECT_NEAR(*all.spearman, 0, 1e-12);
  EXPECT_NEAR(*all.kendall, 0, 1e-12);
  EXPECT_NEAR(all.error_factor, std::pow(2 * 1 * 1 * 2 * 2, 0.2), 1e-12);
  EXPECT_NEAR(all.pick_ratio, std::sqrt(2 * 1), 1e-12);
  EXPECT_EQ(all.pairs, 4);
  EXPECT_EQ(all.misranked, 3);
  const std::vector<MisrankedPair> worst = worst_misrankings(comparison, times, 2);
  ASSERT_EQ(worst.size(), 2u);
  EXPECT_EQ(worst[0].preferred, 0u);
  EXPECT_EQ(worst[0].better, 4u);
  EXPECT_DOUBLE_EQ(worst[0].factor, 4);
  EXPECT_DOUBLE_EQ(worst[1].factor, 2);
}

}  // namespace
}  // namespace alphasparse
