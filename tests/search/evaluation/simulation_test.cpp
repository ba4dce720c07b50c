// simulation_test: the summary of replays of several matrices.
#include "search/evaluation/simulation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "operators/named_designs.h"
#include "runtime/emulated/gpu_models.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

using Numbers = std::vector<std::optional<double>>;

TEST(Reach, IsOfAllThatNeverGetThereToo) {
  const Reach reach = find_reach({30, std::nullopt, 10, 50});
  EXPECT_DOUBLE_EQ(reach.share, 0.75);
  ASSERT_TRUE(reach.median);
  EXPECT_DOUBLE_EQ(*reach.median, 40);
  EXPECT_FALSE(reach.p90);
}

TEST(Reach, OfElevenNumbersIsTheSixthAndTheTenth) {
  Numbers numbers;
  for (int i = 11; i >= 1; --i) numbers.push_back(i);
  const Reach reach = find_reach(numbers);
  EXPECT_DOUBLE_EQ(*reach.median, 6);
  EXPECT_DOUBLE_EQ(*reach.p90, 10);
  EXPECT_DOUBLE_EQ(reach.share, 1);
}

TEST(Reach, OfNothingIsNothing) {
  EXPECT_FALSE(find_reach({}).median);
  EXPECT_DOUBLE_EQ(find_reach({}).share, 0);
  EXPECT_FALSE(find_reach({std::nullopt}).median);
}

Replayed found(std::vector<ReplayStep> bests, std::set<std::string> tried, std::int64_t missing) {
  Replayed replayed;
  replayed.bests = std::move(bests);
  replayed.evaluations = 10;
  replayed.missing = missing;
  replayed.tried = std::move(tried);
  return replayed;
}

SimulatedMatrix matrix_of(std::vector<std::vector<Replayed>> runs, double best_us, bool near) {
  SimulatedMatrix matrix;
  matrix.best_us = best_us;
  matrix.is_near_floor = near;
  matrix.runs = std::move(runs);
  return matrix;
}

TEST(SummariseReplays, ComparesVariantsMatrixByMatrix) {
  const std::vector<SearchVariant> variants = {search_variants()[0], search_variants()[1]};
  const std::vector<SimulatedMatrix> matrices = {
      // within 5 % at the second evaluation, within 1 % at the fourth
      matrix_of({{found({{1, 0.5, 20, "a", ""}, {2, 1, 10.4, "b", ""}, {4, 2, 10, "c", ""}},
                        {"a", "b", "c"}, 0)},
                 {found({{1, 0.5, 20, "a", ""}}, {"a", "d"}, 10)}},
                10, false),
      matrix_of({{found({{6, 3, 4, "a", ""}}, {"a"}, 0)}, {found({{6, 3, 4, "a", ""}}, {"a"}, 0)}},
                4, true)};
  const auto rows = summarise_replays(matrices, variants, false);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].name, "whole");
  EXPECT_EQ(rows[0].replays, 1);
  EXPECT_DOUBLE_EQ(*rows[0].evaluations_5.median, 2);
  EXPECT_DOUBLE_EQ(*rows[0].evaluations_1.median, 4);
  EXPECT_DOUBLE_EQ(*rows[0].seconds_5.median, 1);
  EXPECT_DOUBLE_EQ(*rows[0].seconds_1.median, 2);
  EXPECT_DOUBLE_EQ(rows[0].behind, 1);
  EXPECT_DOUBLE_EQ(rows[0].in_common, 1);
  EXPECT_DOUBLE_EQ(rows[1].evaluations_5.share, 0);
  EXPECT_DOUBLE_EQ(rows[1].behind, 2);
  EXPECT_DOUBLE_EQ(rows[1].in_common, 1.0 / 3);
  EXPECT_DOUBLE_EQ(rows[1].missing, 0.5);
  EXPECT_DOUBLE_EQ(rows[0].behind_first, 2);
  EXPECT_DOUBLE_EQ(rows[0].behind_first_most, 2);
  const auto near = summarise_replays(matrices, variants, true);
  ASSERT_EQ(near.size(), 2u);
  EXPECT_DOUBLE_EQ(*near[0].evaluations_5.median, 6);
  EXPECT_TRUE(summarise_replays({matrices[0]}, variants, true).empty());
}

TEST(SummariseReplays, TellsTheDistanceAfterSoManySeconds) {
  const auto of = [](std::vector<ReplayStep> bests) {
    return matrix_of({{found(std::move(bests), {"a"}, 0)}}, 10, false);
  };
  const auto rows =
      summarise_replays({of({{1, 6, 40, "a", ""}, {2, 7, 20, "b", ""}, {9, 21, 10, "c", ""}}),
                         of({{1, 1, 90, "a", ""}, {2, 4, 40, "b", ""}, {9, 5, 10, "c", ""}})},
                        {search_variants()[0]}, false);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_DOUBLE_EQ(rows[0].behind_first, 6);
  EXPECT_DOUBLE_EQ(rows[0].behind_first_most, 9);
  EXPECT_DOUBLE_EQ(rows[0].behind_5_s, 2) << "4, for nothing is known before 6 s, and 1";
  EXPECT_DOUBLE_EQ(rows[0].behind_20_s, std::sqrt(2));
}

Outcomes recorded_with(const std::vector<double>& times) {
  Outcomes outcomes;
  for (std::size_t i = 0; i < times.size(); ++i) {
    Measurement outcome;
    outcome.design = fmt::format("design {}", i);
    outcome.verified = true;
    outcome.timing.emplace().time_us = times[i];
    outcomes.emplace(outcome.design, outcome);
  }
  return outcomes;
}

TEST(RecordedSpread, IsWhatNineTenthsOfTheFastDesignsStayWithin) {
  // Eleven fast designs and as many slow ones. The second time all take twice as long, two of the
  // fast ones a bit more or less. The slow ones take arbitrary times.
  std::vector<double> once, again;
  for (int i = 0; i < 11; ++i) {
    once.push_back(100 + i);
    again.push_back(2.0 * (100 + i));
  }
  again[3] *= 1.25;
  again[7] /= 1.1;
  for (int i = 0; i < 11; ++i) {
    once.push_back(1000);
    again.push_back(1 + i);
  }
  const auto spread = recorded_spread(recorded_with(once), recorded_with(again));
  ASSERT_TRUE(spread);
  EXPECT_NEAR(*spread, 1.1, 1e-9);
  EXPECT_FALSE(recorded_spread(recorded_with(once), {}));
  once.resize(19);
  EXPECT_FALSE(recorded_spread(recorded_with(once), recorded_with(again)));
}

TEST(SummariseReplays, TellsTiesOfMatricesThatWereRecordedTwice) {
  const std::vector<SearchVariant> variants = {search_variants()[0], search_variants()[1]};
  const auto pair = [&](double other_us, std::optional<double> spread) {
    SimulatedMatrix matrix = matrix_of(
        {{found({{1, 1, 10, "a", ""}}, {"a"}, 0)}, {found({{1, 1, other_us, "b", ""}}, {"b"}, 0)}},
        5, false);
    matrix.spread = spread;
    return matrix;
  };
  const auto rows = summarise_replays(
      {pair(10.4, 1.05), pair(9.6, 1.05), pair(10.6, 1.05), pair(5, 1.05), pair(20, std::nullopt)},
      variants, false);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].tied, 4);
  EXPECT_EQ(rows[1].faster, 1);
  EXPECT_EQ(rows[1].tied, 2);
  EXPECT_EQ(rows[1].slower, 1);
}

TEST(SummariseReplays, TellsTiesOfWinnersThatWereMeasuredInTurn) {
  const std::vector<SearchVariant> variants = {search_variants()[0], search_variants()[1]};
  const auto pair = [&](double ratio) {
    SimulatedMatrix matrix = matrix_of(
        {{found({{1, 1, 10, "a", ""}}, {"a"}, 0)}, {found({{1, 1, 20, "b", ""}}, {"b"}, 0)}}, 5,
        false);
    matrix.in_turn = {{"a", {}}, {"b", {ratio, 0.02}}};
    return matrix;
  };
  EXPECT_EQ(list_winners(pair(1)), (std::vector<std::string>{"a", "b"}));
  const auto rows = summarise_replays({pair(0.5), pair(1.01), pair(2)}, variants, false);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].tied, 3);
  EXPECT_EQ(rows[1].faster, 1);
  EXPECT_EQ(rows[1].tied, 1);
  EXPECT_EQ(rows[1].slower, 1);
  ASSERT_TRUE(rows[1].in_turn);
  EXPECT_NEAR(*rows[1].in_turn, std::cbrt(1.01), 1e-9);
}

TEST(Simulate, ReplaysEveryVariantWithEverySeed) {
  const Matrix matrix = battery_matrix("power_law");
  Problem problem;
  problem.matrix_name = "power_law";
  problem.device.gpu = gpu_models().front().full_name;
  SimulationPlan plan;
  plan.variants = {search_variants()[0], search_variants()[1]};
  plan.seeds = 2;
  plan.evaluations = 20;
  std::int64_t recorded = 0;
  const Recorder recorder = [&](const Designs& designs, double, Outcomes& outcomes) {
    for (const std::string& design : list_texts(designs)) {
      Measurement outcome;
      outcome.design = design;
      outcome.verified = true;
      outcome.timing.emplace().time_us = 1 + static_cast<double>(design.size());
      outcomes.emplace(design, outcome);
      ++recorded;
    }
  };
  const std::atomic<bool> stop = false;
  const SimulatedMatrix simulated =
      simulate(matrix, compute_features(matrix), problem, {}, plan, {}, recorder, stop);
  ASSERT_EQ(simulated.runs.size(), 2u);
  for (const auto& runs : simulated.runs) {
    ASSERT_EQ(runs.size(), 2u);
    for (const Replayed& run : runs) EXPECT_EQ(run.evaluations, 20);
  }
  EXPECT_EQ(simulated.recorded, recorded);
  EXPECT_EQ(simulated.best_us, 1 + static_cast<double>(simulated.best_design.size()));
  double named = 1e9;
  for (const std::string& line : named_lines()) {
    named = std::min(named, 1 + static_cast<double>(line.size()));
  }
  EXPECT_EQ(simulated.named_us, named);
}

}  // namespace
}  // namespace alphasparse
