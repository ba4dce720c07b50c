// annealing: what is proposed, what is accepted and when, and that it finds what chance alone does
// not, over a landscape that is written out here.
#include "search/structure/annealing.h"

#include <gtest/gtest.h>

#include <cmath>

#include "search/space/bans.h"
#include "search/structure/growth.h"
#include "tests/support/battery.h"
#include "tests/support/outcomes.h"
#include "tests/support/search_ground.h"

namespace alphasparse {
namespace {

/// Words of a design, and what they do to its time. Pads cost by themselves; what they allow
/// pays.
double landscape(const std::string& design) {
  constexpr std::pair<const char*, double> words[] = {
      {"sort_rows_in_bands", 0.85}, {"rows=1024", 0.95},   {"block_rows", 0.85},
      {"thread_rows rows=1 ", 0.8}, {"thread_pad", 1.15},  {"thread_pad | interleave", 0.6},
      {"thread_total", 0.9},        {"global_store", 0.9}, {"compact", 0.9},
      {"launch threads=128", 0.95}, {"stage_x", 0.95},     {" { ", 1.15},
      {"global_atomic", 1.2},       {"reorder", 1.1},      {"block_pad", 1.1},
  };
  double time_us = 100;
  for (const auto& [word, factor] : words) {
    if (design.find(word) != std::string::npos) time_us *= factor;
  }
  return time_us;
}

/// All the good words and none of the bad ones but the pads.
constexpr double least_us =
    100 * 0.85 * 0.95 * 0.85 * 0.8 * 1.15 * 0.6 * 0.9 * 0.9 * 0.9 * 0.95 * 0.95;

double best_by_annealing(SearchGround& ground, const AnnealingOptions& options, int evaluations,
                         Outcomes outcomes = {}) {
  Annealing annealing(ground.space, options);
  for (int i = 0; i < evaluations; ++i) {
    const auto design = annealing.propose(outcomes, annealing.draw_growth());
    if (!design) break;
    EXPECT_FALSE(outcomes.contains(*design));
    const Measurement outcome = timed(*design, landscape(*design));
    outcomes.emplace(*design, outcome);
    annealing.learn(outcome);
  }
  return best_of(outcomes)->timing->time_us;
}

double best_by_growth(SearchGround& ground, std::uint64_t seed, int evaluations) {
  Random random(seed);
  Outcomes outcomes;
  while (static_cast<int>(outcomes.size()) < evaluations) {
    const std::string design = print_design(grow(ground.space, random).value());
    outcomes.emplace(design, timed(design, landscape(design)));
  }
  return best_of(outcomes)->timing->time_us;
}

TEST(Annealing, FindsTheOptimumMoreOftenThanChance) {
  const Matrix matrix = battery_matrix("stencil_23");
  SearchGround ground(matrix);
  constexpr int seeds = 8, evaluations = 300;
  int annealed = 0, grown = 0;
  double annealed_sum = 0, grown_sum = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    AnnealingOptions options;
    options.seed = static_cast<std::uint64_t>(seed);
    const double by_annealing = best_by_annealing(ground, options, evaluations);
    const double by_growth = best_by_growth(ground, seed, evaluations);
    annealed += by_annealing < 1.01 * least_us;
    grown += by_growth < 1.01 * least_us;
    annealed_sum += by_annealing / least_us;
    grown_sum += by_growth / least_us;
  }
  std::printf("optimum found by annealing %d, by growth %d of %d; best over optimum %.3f, %.3f\n",
              annealed, grown, seeds, annealed_sum / seeds, grown_sum / seeds);
  EXPECT_GE(annealed, grown + 3);
  EXPECT_LT(annealed_sum, grown_sum);
}

/// The best times over the optimum of many seeds, in the mean.
double mean_of_seeds(AnnealingOptions options, const Outcomes& known) {
  const Matrix matrix = battery_matrix("stencil_23");
  constexpr int seeds = 60, evaluations = 300;
  double sum = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    SearchGround ground(matrix);
    options.seed = static_cast<std::uint64_t>(seed);
    sum += best_by_annealing(ground, options, evaluations, known) / least_us;
  }
  return sum / seeds;
}

TEST(Annealing, SlowerDesignsOnTheWayPay) {
  AnnealingOptions greedy;
  greedy.hot = greedy.cold = 0;
  const double with = mean_of_seeds({}, {}), without = mean_of_seeds(greedy, {});
  std::printf("best over optimum %.3f, %.3f where a slower design is never taken\n", with, without);
  EXPECT_LT(with, 0.97 * without);
}

TEST(Annealing, GrowthFindsWhatMutationsOfOneDesignDoNot) {
  const std::string start =
      "compress | warp_nnz nnz=512 | thread_nnz nnz=16 | thread_bitmap | warp_segment | "
      "global_carry | launch threads=256";
  const Outcomes known = {{start, timed(start, landscape(start))}};
  AnnealingOptions mutating;
  mutating.grown_share = 0;
  const double with = mean_of_seeds({}, known), without = mean_of_seeds(mutating, known);
  std::printf("best over optimum %.3f, %.3f without growth\n", with, without);
  EXPECT_LT(with, 0.97 * without);
}

TEST(Annealing, TheSameSeedAndOutcomesGiveTheSameProposals) {
  const Matrix matrix = battery_matrix("power_law");
  std::vector<std::string> runs[2];
  for (auto& run : runs) {
    SearchGround ground(matrix);
    AnnealingOptions options;
    options.seed = 5;
    Annealing annealing(ground.space, options);
    Outcomes outcomes;
    for (int i = 0; i < 80; ++i) {
      run.push_back(annealing.propose(outcomes, annealing.draw_growth()).value());
      const Measurement outcome = timed(run.back(), landscape(run.back()));
      outcomes.emplace(run.back(), outcome);
      annealing.learn(outcome);
    }
  }
  EXPECT_EQ(runs[0], runs[1]);
}

TEST(Annealing, ProposesLegalDesignsOnceAlsoWhereManyAreUnderWay) {
  const Matrix matrix = battery_matrix("stencil_23");
  SearchGround ground(matrix);
  Annealing annealing(ground.space, {});
  std::set<std::string> seen;
  const std::string start =
      "compress | thread_rows rows=1 | thread_total | global_store | launch threads=256";
  const Outcomes outcomes = {{start, timed(start, 10)}};
  for (int i = 0; i < 100; ++i) {
    const std::string design = annealing.propose(outcomes, annealing.draw_growth()).value();
    EXPECT_TRUE(seen.insert(design).second) << design;
    EXPECT_NE(design, start);
    EXPECT_EQ(ground.problem_of(*parse_design(design)), "") << design;
  }
  EXPECT_EQ(annealing.current(), start) << "it begins with the best that is known";
}

TEST(Annealing, AStructureThatCrashesIsLeftAlone) {
  const Matrix matrix = battery_matrix("stencil_23");
  SearchGround ground(matrix);
  Annealing annealing(ground.space, {});
  Outcomes outcomes;
  const std::string crashing = "compress | thread_rows | thread_total | global_store | launch";
  for (const char* const threads : {"64", "128"}) {
    const std::string design =
        "compress | thread_rows rows=1 | thread_total | global_store | launch threads=";
    outcomes.emplace(design + threads, timed(design + threads, 0, Status::crash));
  }
  for (int i = 0; i < 150; ++i)
    EXPECT_NE(structure_of(annealing.propose(outcomes, annealing.draw_growth()).value()), crashing);
}

/// A search that stays at one temperature and is never stuck.
AnnealingOptions steady(double temperature) {
  AnnealingOptions options;
  options.seed = 3;
  options.hot = options.cold = temperature;
  options.stuck = 1'000'000;
  return options;
}

/// How often a design that is so much slower takes the place of the current one.
double acceptance(double temperature, double slower, int moves) {
  const Matrix matrix = battery_matrix("one_entry");
  SearchGround ground(matrix);
  Annealing annealing(ground.space, steady(temperature));
  int accepted = 0;
  for (int i = 0; i < moves; ++i) {
    annealing.learn(timed("fast", 100));
    EXPECT_EQ(annealing.current(), "fast") << "never slower than anything";
    annealing.learn(timed("slow", 100 * (1 + slower)));
    accepted += annealing.current() == "slow";
  }
  return static_cast<double>(accepted) / moves;
}

TEST(Annealing, AcceptsSlowerDesignsAsOftenAsTheTemperatureSays) {
  constexpr int moves = 4000;
  for (const auto& [temperature, slower] :
       {std::pair{0.1, 0.1}, {0.1, 0.2}, {0.3, 0.1}, {0.05, 0.02}}) {
    const double expected = std::exp(-slower / temperature);
    const double deviation = std::sqrt(expected * (1 - expected) / moves);
    EXPECT_NEAR(acceptance(temperature, slower, moves), expected, 4 * deviation)
        << "T " << temperature << ", slower by " << slower;
  }
}

TEST(Annealing, AtTemperatureZeroItNeverAcceptsASlowerDesign) {
  EXPECT_EQ(acceptance(0, 1e-6, 2000), 0);
}

TEST(Annealing, CoolsByEqualFactors) {
  const Matrix matrix = battery_matrix("one_entry");
  SearchGround ground(matrix);
  AnnealingOptions options;
  options.hot = 0.4;
  options.cold = 0.004;
  options.moves = 10;
  Annealing annealing(ground.space, options);
  EXPECT_DOUBLE_EQ(annealing.temperature(), 0.4);
  for (int i = 0; i < 5; ++i) annealing.learn(timed("a", 10));
  EXPECT_NEAR(annealing.temperature(), 0.04, 1e-12);
  for (int i = 0; i < 9; ++i) annealing.learn(timed("a", 10));
  EXPECT_NEAR(annealing.temperature(), 0.004, 1e-12);
}

TEST(Annealing, PrunedDesignsAndDuplicatesAreNoMovesAndFailuresAreNeverTaken) {
  const Matrix matrix = battery_matrix("one_entry");
  SearchGround ground(matrix);
  Annealing annealing(ground.space, steady(1));
  annealing.learn(timed("a", 10));
  annealing.learn(timed("pruned", 0, Status::pruned));
  annealing.learn(timed("a twin", 1, Status::duplicate));
  EXPECT_EQ(annealing.moves(), 1);
  EXPECT_EQ(annealing.current(), "a");
  annealing.learn(timed("wrong", 0, Status::wrong_result));
  EXPECT_EQ(annealing.moves(), 2);
  EXPECT_EQ(annealing.current(), "a");
}

TEST(Annealing, WhatOthersFindIsNoMoveAndIsTakenWhereItIsTheBest) {
  const Matrix matrix = battery_matrix("one_entry");
  SearchGround ground(matrix);
  Annealing annealing(ground.space, steady(1000));  // takes any move
  annealing.hear(timed("named", 10));
  EXPECT_EQ(annealing.current(), "named");
  annealing.hear(timed("slower", 10.1));
  EXPECT_EQ(annealing.current(), "named");
  annealing.hear(timed("wrong", 1, Status::wrong_result));
  annealing.hear(timed("a twin", 1, Status::duplicate));
  EXPECT_EQ(annealing.current(), "named");
  annealing.learn(timed("slower", 10.1));
  EXPECT_EQ(annealing.current(), "slower");
  annealing.hear(timed("slow", 10.05));
  EXPECT_EQ(annealing.current(), "slower") << "not the best there was";
  annealing.hear(timed("fast", 9));
  EXPECT_EQ(annealing.current(), "fast");
  EXPECT_EQ(annealing.moves(), 1);
}

TEST(Annealing, WhereItIsStuckItIsReheatedFromTheBestThenFromSomethingNew) {
  const Matrix matrix = battery_matrix("one_entry");
  SearchGround ground(matrix);
  AnnealingOptions options;
  options.hot = 0.9;
  options.cold = 0.1;
  options.moves = 8;
  options.stuck = 20;
  Annealing annealing(ground.space, options);
  annealing.learn(timed("best", 10));
  for (int i = 0; i < 19; ++i) annealing.learn(timed("near", 10.001));
  EXPECT_EQ(annealing.current(), "near");
  EXPECT_NEAR(annealing.temperature(), 0.1, 1e-12);
  annealing.learn(timed("near", 10.001));
  EXPECT_EQ(annealing.reheatings(), 1);
  EXPECT_EQ(annealing.current(), "best");
  EXPECT_NEAR(annealing.temperature(), 0.3, 1e-12) << "the geometric mean";
  for (int i = 0; i < 20; ++i) annealing.learn(timed("near", 10.001));
  EXPECT_EQ(annealing.reheatings(), 2);
  EXPECT_EQ(annealing.current(), "");
  annealing.learn(timed("new", 50));
  EXPECT_EQ(annealing.current(), "new") << "whatever grew";
}

TEST(Annealing, AtTheEndOfASmallSpaceThereIsNothingLeft) {
  const Matrix matrix = battery_matrix("one_entry");
  SearchGround ground(matrix);
  ground.space.limits.depth_max = 0;
  ground.space.limits.steps_max = 4;
  Annealing annealing(ground.space, {});
  Outcomes outcomes;
  int proposed = 0;
  for (; proposed < 2000; ++proposed) {
    const auto design = annealing.propose(outcomes, annealing.draw_growth());
    if (!design) break;
    const Measurement outcome = timed(*design, 10);
    outcomes.emplace(*design, outcome);
    annealing.learn(outcome);
  }
  EXPECT_LT(proposed, 2000);
  EXPECT_EQ(static_cast<int>(outcomes.size()), proposed);
}

}  // namespace
}  // namespace alphasparse
