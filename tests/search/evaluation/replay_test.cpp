// replay_test: the search on recorded outcomes. For the worth of its parts see parts_test and
// savings_test.
#include "search/evaluation/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "operators/named_designs.h"
#include "runtime/emulated/lower_bound.h"
#include "tests/support/battery.h"
#include "tests/support/scripted_replay.h"

namespace alphasparse {
namespace {

/// Pads and staging cost, sorting pays, and blocks are best at 96 threads.
double hilly_us(const std::string& design) {
  double time_us = 100;
  for (const auto& [words, factor] : {std::pair("sort_rows_in_bands", 0.8),
                                      {"warp_rows", 0.85},
                                      {"thread_pad", 1.25},
                                      {"thread_pad | interleave", 0.5},
                                      {"stage_x", 1.2},
                                      {" { ", 1.2},
                                      {"global_atomic", 1.2}}) {
    if (design.find(words) != std::string::npos) time_us *= factor;
  }
  return time_us * (1 + 0.06 * squared_octaves(design, "threads", 96));
}

Measurement hilly(const std::string& design) { return scripted(design, hilly_us); }

ReplayPlan plan_of(const SearchVariant& variant, std::uint64_t seed, std::int64_t evaluations) {
  ReplayPlan plan;
  plan.search.seed = seed;
  plan.search.parts = variant.parts;
  plan.evaluations = evaluations;
  return plan;
}

const SearchVariant& variant(std::string_view name) {
  for (const SearchVariant& variant : search_variants()) {
    if (variant.name == name) return variant;
  }
  throw std::runtime_error("no such variant");
}

TEST(Replay, AsksForWhatIsNotRecordedAndNeverTwice) {
  const Matrix matrix = battery_matrix("power_law");
  Script script{hilly_us};
  const ReplayPlan plan = plan_of(variant("whole"), 1, 60);
  const Replayed first = replay(matrix, script.recorded, plan, script.recorder());
  EXPECT_EQ(first.evaluations, 60);
  EXPECT_EQ(first.missing, 0);
  EXPECT_EQ(script.requests, static_cast<std::int64_t>(script.recorded.size()));
  const Replayed second = replay(matrix, script.recorded, plan);
  EXPECT_EQ(second.missing, 0);
  EXPECT_EQ(second.tried, first.tried);
  ASSERT_EQ(second.bests.size(), first.bests.size());
  EXPECT_EQ(second.bests.back().design, first.bests.back().design);
  EXPECT_EQ(second.bests.back().evaluations, first.bests.back().evaluations);
  EXPECT_DOUBLE_EQ(second.bests.front().seconds, 1e-3);
  EXPECT_EQ(second.bests.front().strategy, "named");
}

TEST(Replay, WhatNobodyRecordedIsMissingAndDoesNotCount) {
  const Matrix matrix = battery_matrix("power_law");
  Script script{hilly_us};
  for (const std::string& line : named_lines()) script.recorded.emplace(line, hilly(line));
  const Replayed replayed = replay(matrix, script.recorded, plan_of(variant("level-2"), 0, 100));
  EXPECT_EQ(replayed.evaluations + replayed.pruned,
            static_cast<std::int64_t>(script.recorded.size()));
  EXPECT_GT(replayed.evaluations, 5);
  EXPECT_GT(replayed.missing, 100);
}

TEST(Replay, WhatTakesThreeTimesTheBestIsNoEvaluation) {
  const Matrix matrix = battery_matrix("power_law");
  const std::vector<std::string> named = named_lines();
  for (const bool with_bounds : {true, false}) {
    Outcomes recorded;
    for (const std::string& line : named) {
      Measurement& outcome = recorded[line] = hilly(line);
      outcome.timing->time_us = line == named.front() ? 10 : line == named.back() ? 31 : 29;
    }
    ReplayPlan plan = plan_of(variant("level-2"), 0, 100);
    plan.search.parts.bounds = with_bounds;
    const Replayed replayed = replay(matrix, recorded, plan);
    EXPECT_EQ(replayed.pruned, with_bounds ? 1 : 0);
    EXPECT_EQ(replayed.tried.contains(named.back()), !with_bounds);
    EXPECT_EQ(replayed.evaluations + replayed.pruned, static_cast<std::int64_t>(named.size()));
  }
}

TEST(Replay, ADuplicateCountsWhereItsKernelComesFirst) {
  const Matrix matrix = battery_matrix("power_law");
  const std::vector<std::string> lines = named_lines();
  Outcomes recorded;
  // All others share the kernel of the last one, which comes last.
  for (const std::string& line : lines) {
    recorded.emplace(line, hilly(lines.back()));
    Measurement& outcome = recorded.at(line);
    outcome.design = line;
    if (line == lines.back()) continue;
    make_duplicate(outcome, lines.back());
    outcome.trial_us = 1;
  }
  const Replayed replayed = replay(matrix, recorded, plan_of(variant("level-2"), 0, 100));
  EXPECT_EQ(replayed.evaluations, 1);
  ASSERT_EQ(replayed.bests.size(), 1u);
  EXPECT_EQ(replayed.bests.front().design, lines.front());
  EXPECT_DOUBLE_EQ(replayed.seconds, 1e-3);
}

Measurement bounded(const std::string& design) {
  Measurement outcome = hilly(design);
  outcome.bound_us = 0.8 * outcome.timing->time_us;
  return outcome;
}

/// Prunes by bounds, as trials do, if it may.
struct BoundedScript {
  bool prunes = false;
  const std::vector<std::string> named = named_lines();
  Outcomes recorded;
  std::int64_t ran = 0;

  Replayed replayed(const Matrix& matrix, std::string_view name) {
    const Recorder recorder = [this](const Designs& designs, double best_us, Outcomes& outcomes) {
      for (const std::string& design : list_texts(designs)) {
        Measurement outcome = bounded(design);
        const bool spared = std::find(named.begin(), named.end(), design) != named.end();
        if (prunes && !spared && is_hopeless(*outcome.bound_us, best_us, TimeKind::modelled)) {
          outcome.status = Status::pruned;
          outcome.verified = false;
          outcome.timing.reset();
        } else {
          ++ran;
        }
        outcomes.insert_or_assign(design, std::move(outcome));
      }
    };
    return replay(matrix, recorded, plan_of(variant(name), 3, 40), recorder);
  }
};

TEST(Replay, WhatCannotWinNeedNotRun) {
  const Matrix matrix = battery_matrix("power_law");
  BoundedScript all, saving;
  saving.prunes = true;
  for (const char* const name : {"whole", "level-2", "no-pruning", "whole"}) {
    const Replayed by_all = all.replayed(matrix, name);
    const Replayed by_saving = saving.replayed(matrix, name);
    EXPECT_EQ(by_all.tried, by_saving.tried) << name;
    EXPECT_EQ(by_all.pruned, by_saving.pruned) << name;
    EXPECT_EQ(by_all.bests.back().design, by_saving.bests.back().design) << name;
  }
  std::printf("%ld designs ran, %ld where none ran in vain\n", all.ran, saving.ran);
  EXPECT_LT(saving.ran, all.ran);
  const std::int64_t before = saving.ran;
  const Replayed again = saving.replayed(matrix, "level-2");
  EXPECT_EQ(again.tried, all.replayed(matrix, "level-2").tried);
  EXPECT_EQ(saving.ran, before);
}

TEST(Replay, VariantsLeaveOutWhatTheirNamesSay) {
  using Part = bool SearchParts::*;
  const Part all[] = {&SearchParts::grid,   &SearchParts::structure, &SearchParts::fine,
                      &SearchParts::model,  &SearchParts::growth,    &SearchParts::annealing,
                      &SearchParts::prunes, &SearchParts::bounds,    &SearchParts::chance,
                      &SearchParts::prior};
  const std::map<std::string_view, std::vector<Part>> changed = {
      {"whole", {}},
      {"no-model", {&SearchParts::model}},
      {"no-fine", {&SearchParts::fine}},
      {"no-annealing", {&SearchParts::annealing}},
      {"no-growth", {&SearchParts::growth}},
      {"no-prior", {&SearchParts::prior}},
      {"no-grid", {&SearchParts::grid}},
      {"no-structure", {&SearchParts::structure}},
      {"no-pruning", {&SearchParts::prunes, &SearchParts::bounds}},
      {"level-2", {&SearchParts::structure, &SearchParts::fine}},
      {"chance", {&SearchParts::bounds, &SearchParts::chance}},
      {"warm", {}},
      {"shipped", {}}};
  EXPECT_EQ(search_variants().size(), changed.size());
  for (const SearchVariant& variant : search_variants()) {
    const std::vector<Part>& others = changed.at(variant.name);
    for (const Part part : all) {
      const bool is_other = std::find(others.begin(), others.end(), part) != others.end();
      EXPECT_EQ(variant.parts.*part != SearchParts().*part, is_other) << variant.name;
    }
    EXPECT_EQ(variant.start == SearchStart::warm, variant.name == "warm");
    EXPECT_EQ(variant.start == SearchStart::shipped, variant.name == "shipped");
  }
}

TEST(Replay, CanBeStopped) {
  const Matrix matrix = battery_matrix("power_law");
  Script script{hilly_us};
  const std::atomic<bool> stop = true;
  ReplayPlan plan = plan_of(variant("level-2"), 0, 100);
  plan.stop = &stop;
  EXPECT_EQ(replay(matrix, script.recorded, plan, script.recorder()).evaluations, 0);
}

}  // namespace
}  // namespace alphasparse
