// annealing: its proposals, its acceptance and the time of it. It finds designs that chance alone
// does not, over a landscape that is written out here.
#include "search/structure/annealing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "base/parallel.h"
#include "operators/parameter_grid.h"
#include "runtime/system/machine/cores.h"
#include "search/structure/growth.h"
#include "tests/support/battery.h"
#include "tests/support/outcomes.h"
#include "tests/support/scripted_replay.h"
#include "tests/support/search_fixture.h"

namespace alphasparse {
namespace {

/// Words of a design, and their effect on its time. Pads cost by themselves; the steps that they
/// allow pay.
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

/// Proposals of one annealing on times that a script makes up, until one takes at most `goal_us`;
/// the best of them all.
double best_by_annealing(const AnnealingOptions& options, const ScriptedTime& time_of,
                         const Outcomes& known, int evaluations, double goal_us) {
  const Matrix matrix = battery_matrix("stencil_23");
  SearchFixture fixture(matrix);
  Annealing annealing(fixture.space, fixture.known, options);
  Outcomes outcomes = known;
  double best_us = std::numeric_limits<double>::infinity();
  for (int i = 0; i < evaluations && best_us > goal_us; ++i) {
    const auto design = annealing.propose(outcomes, annealing.draw_growth());
    if (!design) break;
    EXPECT_FALSE(outcomes.contains(design->text()));
    const Measurement outcome = scripted(design->text(), time_of);
    if (outcome.timing) best_us = std::min(best_us, outcome.timing->time_us);
    outcomes.emplace(design->text(), outcome);
    annealing.learn(*design, outcome);
  }
  return best_us;
}

double best_by_growth(std::uint64_t seed, int evaluations) {
  const Matrix matrix = battery_matrix("stencil_23");
  SearchFixture fixture(matrix);
  Random random(seed);
  std::set<std::string> designs;
  double best_us = std::numeric_limits<double>::infinity();
  while (static_cast<int>(designs.size()) < evaluations) {
    const std::string design = grow(fixture.space, random).value().text();
    designs.insert(design);
    best_us = std::min(best_us, landscape(design));
  }
  return best_us;
}

constexpr std::size_t seeds = 10;

/// How many seeds pass.
std::size_t count_passing(const std::function<bool(std::uint64_t seed)>& passes,
                          std::size_t count = seeds) {
  std::vector<char> passed(count);
  parallel_for(count, machine_threads(),
               [&](std::size_t seed, std::size_t) { passed[seed] = passes(seed); });
  return static_cast<std::size_t>(std::count(passed.begin(), passed.end(), 1));
}

TEST(Annealing, FindsTheOptimumMoreOftenThanChance) {
  constexpr double near_us = 1.2 * least_us;
  constexpr int evaluations = 600;
  const std::size_t annealed = count_passing([](std::uint64_t seed) {
    AnnealingOptions options;
    options.seed = seed;
    return best_by_annealing(options, landscape, {}, evaluations, near_us) <= near_us;
  });
  const std::size_t grown = count_passing(
      [](std::uint64_t seed) { return best_by_growth(seed, evaluations) <= near_us; });
  std::printf("near the optimum by %zu of %zu seeds, by growth alone by %zu\n", annealed, seeds,
              grown);
  EXPECT_GE(annealed, seeds / 2);
  EXPECT_LE(grown, seeds / 3);
}

const std::string annealed_first =
    "compress | thread_rows rows=1 | thread_total | global_store | launch threads=256";

/// csr-scalar with one or two of three more operators is a little slower, with all three twice as
/// fast; nothing else works.
std::optional<double> ridge(const std::string& design) {
  static const std::set<std::string> own = {"compress", "thread_rows", "thread_total",
                                            "global_store", "launch"};
  static const std::set<std::string> more = {"sort_rows_in_bands", "thread_pad", "compact"};
  std::size_t steps = 0;
  bool works = true;
  for_each_step(*parse_design(design), [&](const Step& step) {
    works = works && (own.contains(step.op) || more.contains(step.op));
    steps += more.contains(step.op);
  });
  if (!works) return std::nullopt;
  return std::array<double, 4>{100, 101, 101, 50}.at(steps);
}

TEST(Annealing, SlowerDesignsOnTheWayPay) {
  constexpr std::size_t few = 4;  // nearly all cross, or none does
  const auto crosses = [](double hot) {
    return count_passing(
        [hot](std::uint64_t seed) {
          AnnealingOptions options;
          options.seed = seed;
          options.grown_share = 0;
          options.hot = hot;
          options.cold = std::min(hot, options.cold);
          const Outcomes known = {{annealed_first, scripted(annealed_first, ridge)}};
          return best_by_annealing(options, ridge, known, 1000, 50) <= 50;
        },
        few);
  };
  const std::size_t with = crosses(AnnealingOptions().hot), without = crosses(0);
  std::printf("across the ridge by %zu of %zu seeds, by %zu where none is taken\n", with, few,
              without);
  EXPECT_GE(with, few - few / 4);
  EXPECT_EQ(without, 0U);
}

/// CSR5's beginning works, and rows a thread are twice as fast; designs between them fail.
std::optional<double> islands(const std::string& design) {
  const bool nnz = design.find("thread_nnz") != std::string::npos;
  const bool rows = design.find("thread_rows") != std::string::npos;
  const bool usual = design.find("threads=256") != std::string::npos;
  if (design.find('{') != std::string::npos) return std::nullopt;
  if (nnz && usual) return 100;
  if (rows && !usual) return 50;
  return std::nullopt;
}

TEST(Annealing, GrowthFindsWhatMutationsOfOneDesignDoNot) {
  const std::string start =
      "compress | warp_nnz nnz=512 | thread_nnz nnz=16 | thread_bitmap | warp_segment | "
      "global_carry | launch threads=256";
  const auto reaches = [&](double grown_share) {
    return count_passing([&, grown_share](std::uint64_t seed) {
      AnnealingOptions options;
      options.seed = seed;
      options.grown_share = grown_share;
      options.stuck = 100'000;  // stuck chains begin somewhere new, too
      const Outcomes known = {{start, scripted(start, islands)}};
      return best_by_annealing(options, islands, known, 400, 50) <= 50;
    });
  };
  const std::size_t with = reaches(AnnealingOptions().grown_share), without = reaches(0);
  std::printf("the other island by %zu of %zu seeds, by %zu without growth\n", with, seeds,
              without);
  EXPECT_GE(with, seeds - seeds / 4);  // each draws from the whole catalogue
  EXPECT_EQ(without, 0U);
}

void learn(Annealing& annealing, const Measurement& outcome) {
  annealing.learn(made_up(outcome.design), outcome);
}

void hear(Annealing& annealing, const Measurement& outcome) {
  annealing.hear(made_up(outcome.design), outcome);
}

std::string current_of(const Annealing& annealing) {
  return annealing.current() ? annealing.current()->text() : "";
}

TEST(Annealing, TheSameSeedAndOutcomesGiveTheSameProposals) {
  const Matrix matrix = battery_matrix("power_law");
  std::vector<std::string> runs[2];
  for (auto& run : runs) {
    SearchFixture fixture(matrix);
    AnnealingOptions options;
    options.seed = 5;
    Annealing annealing(fixture.space, fixture.known, options);
    Outcomes outcomes;
    for (int i = 0; i < 80; ++i) {
      const auto design = annealing.propose(outcomes, annealing.draw_growth()).value();
      run.push_back(design.text());
      const Measurement outcome = timed(run.back(), landscape(run.back()));
      outcomes.emplace(run.back(), outcome);
      annealing.learn(design, outcome);
    }
  }
  EXPECT_EQ(runs[0], runs[1]);
}

TEST(Annealing, ProposesLegalDesignsOnceAlsoWhereManyAreUnderWay) {
  const Matrix matrix = battery_matrix("stencil_23");
  SearchFixture fixture(matrix);
  Annealing annealing(fixture.space, fixture.known, {});
  std::set<std::string> seen;
  const std::string start =
      "compress | thread_rows rows=1 | thread_total | global_store | launch threads=256";
  const Outcomes outcomes = {{start, timed(start, 10)}};
  for (int i = 0; i < 100; ++i) {
    const auto design = annealing.propose(outcomes, annealing.draw_growth()).value();
    EXPECT_TRUE(seen.insert(design.text()).second) << design;
    EXPECT_NE(design, start);
    EXPECT_EQ(fixture.problem_of(design), "") << design;
  }
  EXPECT_EQ(current_of(annealing), start) << "it begins with the best that is known";
}

TEST(Annealing, AStructureThatCrashesIsLeftAlone) {
  const Matrix matrix = battery_matrix("stencil_23");
  SearchFixture fixture(matrix);
  Annealing annealing(fixture.space, fixture.known, {});
  Outcomes outcomes;
  const std::string crashing = "compress | thread_rows | thread_total | global_store | launch";
  for (const char* const threads : {"64", "128"}) {
    const std::string design =
        "compress | thread_rows rows=1 | thread_total | global_store | launch threads=";
    outcomes.emplace(design + threads, timed(design + threads, 0, Status::crash));
  }
  for (int i = 0; i < 150; ++i) {
    const auto design = annealing.propose(outcomes, annealing.draw_growth()).value();
    EXPECT_NE(design.structure(), crashing);
  }
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
  SearchFixture fixture(matrix);
  Annealing annealing(fixture.space, fixture.known, steady(temperature));
  int accepted = 0;
  for (int i = 0; i < moves; ++i) {
    learn(annealing, timed("fast", 100));
    EXPECT_EQ(current_of(annealing), "fast") << "never slower than anything";
    learn(annealing, timed("slow", 100 * (1 + slower)));
    accepted += current_of(annealing) == "slow";
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

TEST(Annealing, IsColdUntilItIsStuckThenCoolsByEqualFactors) {
  const Matrix matrix = battery_matrix("one_entry");
  SearchFixture fixture(matrix);
  AnnealingOptions options;
  options.hot = 0.4;
  options.cold = 0.004;
  options.moves = 10;
  options.stuck = 30;
  Annealing annealing(fixture.space, fixture.known, options);
  for (int i = 0; i < 30; ++i) {
    EXPECT_DOUBLE_EQ(annealing.temperature(), 0.004);
    learn(annealing, timed("a", 10));
  }
  learn(annealing, timed("a", 10));  // the first was a gain
  EXPECT_DOUBLE_EQ(annealing.temperature(), 0.4);
  for (int i = 0; i < 5; ++i) learn(annealing, timed("a", 10));
  EXPECT_NEAR(annealing.temperature(), 0.04, 1e-12);
  for (int i = 0; i < 9; ++i) learn(annealing, timed("a", 10));
  EXPECT_NEAR(annealing.temperature(), 0.004, 1e-12);
}

TEST(Annealing, PrunedDesignsAndDuplicatesAreNoMovesAndFailuresAreNeverTaken) {
  const Matrix matrix = battery_matrix("one_entry");
  SearchFixture fixture(matrix);
  Annealing annealing(fixture.space, fixture.known, steady(1));
  learn(annealing, timed("a", 10));
  learn(annealing, timed("pruned", 0, Status::pruned));
  learn(annealing, timed("a_twin", 1, Status::duplicate));
  EXPECT_EQ(annealing.moves(), 1);
  EXPECT_EQ(current_of(annealing), "a");
  learn(annealing, timed("wrong", 0, Status::wrong_result));
  EXPECT_EQ(annealing.moves(), 2);
  EXPECT_EQ(current_of(annealing), "a");
}

TEST(Annealing, WhatOthersFindIsNoMoveAndIsTakenWhereItIsTheBest) {
  const Matrix matrix = battery_matrix("one_entry");
  SearchFixture fixture(matrix);
  Annealing annealing(fixture.space, fixture.known, steady(1000));  // takes any move
  hear(annealing, timed("named", 10));
  EXPECT_EQ(current_of(annealing), "named");
  hear(annealing, timed("slower", 10.1));
  EXPECT_EQ(current_of(annealing), "named");
  hear(annealing, timed("wrong", 1, Status::wrong_result));
  hear(annealing, timed("a_twin", 1, Status::duplicate));
  EXPECT_EQ(current_of(annealing), "named");
  learn(annealing, timed("slower", 10.1));
  EXPECT_EQ(current_of(annealing), "slower");
  hear(annealing, timed("slow", 10.05));
  EXPECT_EQ(current_of(annealing), "slower") << "not the best there was";
  hear(annealing, timed("fast", 9));
  EXPECT_EQ(current_of(annealing), "fast");
  EXPECT_EQ(annealing.moves(), 1);
}

TEST(Annealing, WhereItIsStuckItIsReheatedFromTheBestThenFromSomethingNew) {
  const Matrix matrix = battery_matrix("one_entry");
  SearchFixture fixture(matrix);
  AnnealingOptions options;
  options.hot = 0.9;
  options.cold = 0.1;
  options.moves = 8;
  options.stuck = 20;
  Annealing annealing(fixture.space, fixture.known, options);
  const auto wait = [&](int moves) {
    for (int i = 0; i < moves; ++i) learn(annealing, timed("near", 10.001));
  };
  learn(annealing, timed("best", 10));
  wait(20);
  EXPECT_EQ(annealing.reheatings(), 1);
  EXPECT_EQ(current_of(annealing), "best");
  EXPECT_NEAR(annealing.temperature(), 0.9, 1e-12);
  wait(19);
  EXPECT_EQ(current_of(annealing), "near");
  EXPECT_NEAR(annealing.temperature(), 0.1, 1e-12);
  wait(1);
  EXPECT_EQ(annealing.reheatings(), 2);
  EXPECT_EQ(current_of(annealing), "");
  EXPECT_NEAR(annealing.temperature(), 0.3, 1e-12) << "the geometric mean";
  learn(annealing, timed("new", 50));
  EXPECT_EQ(current_of(annealing), "new") << "whatever grew";
}

TEST(Annealing, AtTheEndOfASmallSpaceThereIsNothingLeft) {
  const Matrix matrix = battery_matrix("one_entry");
  SearchFixture fixture(matrix);
  fixture.space.limits.depth_max = 0;
  fixture.space.limits.steps_max = 4;
  Annealing annealing(fixture.space, fixture.known, {});
  Outcomes outcomes;
  int proposed = 0;
  for (; proposed < 2000; ++proposed) {
    const auto design = annealing.propose(outcomes, annealing.draw_growth());
    if (!design) break;
    const Measurement outcome = timed(design->text(), 10);
    outcomes.emplace(design->text(), outcome);
    annealing.learn(*design, outcome);
  }
  EXPECT_LT(proposed, 2000);
  EXPECT_EQ(static_cast<int>(outcomes.size()), proposed);
}

}  // namespace
}  // namespace alphasparse
