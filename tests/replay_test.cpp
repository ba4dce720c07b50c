// replay_test: the search on recorded outcomes, and what its parts are worth on times that a script
// makes up.
#include "search/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "operators/named_designs.h"
#include "runtime/lower_bound.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

/// Words of a design and what they do to its time: structure first. Pads cost by themselves; what
/// they allow pays.
double structure_us(const std::string& design) {
  constexpr std::pair<const char*, double> words[] = {
      {"sort_rows_in_bands", 0.8},
      {"block_rows", 0.9},
      {"thread_rows", 0.9},
      {"thread_pad", 1.15},
      {"thread_pad | interleave", 0.55},
      {"stage_x", 0.9},
      {" { ", 1.2},
      {"global_atomic", 1.2},
      {"reorder", 1.1},
      {"block_pad", 1.1},
  };
  double time_us = 100;
  for (const auto& [word, factor] : words) {
    if (design.find(word) != std::string::npos) time_us *= factor;
  }
  return time_us;
}

/// Then parameters: each number is best at one place of its grid.
double scripted_us(const std::string& design) {
  double time_us = structure_us(design);
  for_each_step(*parse_design(design), [&](const Step& step) {
    for (const Parameter& parameter : step.parameters) {
      double number = 0;
      if (std::sscanf(parameter.value.c_str(), "%lf", &number) != 1 || number <= 0) continue;
      const double best = parameter.name == "threads" ? 6.6 : parameter.name == "rows" ? 4.3 : 2;
      time_us *= 1 + 0.02 * std::pow(std::log2(number) - best, 2);
    }
  });
  return time_us;
}

Measurement timed(const std::string& design) {
  Measurement outcome;
  outcome.design = design;
  outcome.verified = true;
  outcome.trial_us = 1000;
  outcome.timing.emplace().time_us = scripted_us(design);
  return outcome;
}

/// Records whatever is asked for, and counts it.
struct Script {
  Outcomes recorded;
  std::int64_t asked = 0;

  Recorder recorder() {
    return [this](const std::vector<std::string>& designs, double, Outcomes& outcomes) {
      for (const std::string& design : designs) outcomes.insert_or_assign(design, timed(design));
      asked += static_cast<std::int64_t>(designs.size());
    };
  }
};

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
  Script script;
  const ReplayPlan plan = plan_of(variant("whole"), 1, 60);
  const Replayed first = replay(matrix, script.recorded, plan, script.recorder());
  EXPECT_EQ(first.evaluations, 60);
  EXPECT_EQ(first.missing, 0);
  EXPECT_EQ(script.asked, static_cast<std::int64_t>(script.recorded.size()));
  const Replayed second = replay(matrix, script.recorded, plan);
  EXPECT_EQ(second.missing, 0);
  EXPECT_EQ(second.tried, first.tried);
  ASSERT_EQ(second.bests.size(), first.bests.size());
  EXPECT_EQ(second.bests.back().design, first.bests.back().design);
  EXPECT_EQ(second.bests.back().evaluations, first.bests.back().evaluations);
  EXPECT_DOUBLE_EQ(second.bests.front().seconds, 1e-3);
  EXPECT_EQ(second.bests.front().way, "named");
}

TEST(Replay, WhatNobodyRecordedIsMissingAndDoesNotCount) {
  const Matrix matrix = battery_matrix("power_law");
  Script script;
  for (const std::string& line : named_lines()) script.recorded.emplace(line, timed(line));
  const Replayed replayed = replay(matrix, script.recorded, plan_of(variant("whole"), 0, 100));
  EXPECT_EQ(replayed.evaluations, static_cast<std::int64_t>(script.recorded.size()));
  EXPECT_GT(replayed.missing, 100);
}

/// Of several seeds: what was tried, and the geometric mean of the best times.
struct Worth {
  std::vector<std::set<std::string>> tried;
  double best_us = 0;
};

Worth worth_of(std::string_view name) {
  const Matrix matrix = battery_matrix("stencil_23");
  constexpr std::uint64_t seeds = 8;
  Worth worth;
  double sum = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Script script;
    Replayed replayed =
        replay(matrix, script.recorded, plan_of(variant(name), seed, 160), script.recorder());
    sum += std::log(replayed.bests.back().time_us);
    worth.tried.push_back(std::move(replayed.tried));
  }
  worth.best_us = std::exp(sum / seeds);
  std::printf("%-14s %.2f us\n", std::string(name).c_str(), worth.best_us);
  return worth;
}

// The script has what each part is for: operators that pay only together, places in the grids of
// parameters, formats that no named design is near.
TEST(Replay, EveryPartChangesWhatIsTriedAndEarnsItsPlace) {
  const Worth whole = worth_of("whole");
  for (const char* const part :
       {"no-model", "no-annealing", "no-growth", "no-fine", "no-structure", "level-2", "chance"}) {
    const Worth without = worth_of(part);
    std::size_t alike = 0;
    for (std::size_t seed = 0; seed < whole.tried.size(); ++seed)
      alike += whole.tried[seed] == without.tried[seed];
    EXPECT_LE(alike, 1) << part;  // a replay of so few moves may accept nothing slower by chance
    EXPECT_LT(whole.best_us, without.best_us) << part;
  }
}

TEST(Replay, ADuplicateCountsWhereItsKernelComesFirst) {
  const Matrix matrix = battery_matrix("power_law");
  const std::vector<std::string> lines = named_lines();
  Outcomes recorded;
  // All others share the kernel of the last one, which comes last.
  for (const std::string& line : lines) {
    recorded.emplace(line, timed(lines.back()));
    Measurement& outcome = recorded.at(line);
    outcome.design = line;
    if (line == lines.back()) continue;
    outcome.status = Status::duplicate;
    outcome.reason = duplicate_reason(lines.back());
    outcome.trial_us = 1;
  }
  const Replayed replayed = replay(matrix, recorded, plan_of(variant("level-2"), 0, 100));
  EXPECT_EQ(replayed.evaluations, 1);
  ASSERT_EQ(replayed.bests.size(), 1u);
  EXPECT_EQ(replayed.bests.front().design, lines.front());
  EXPECT_DOUBLE_EQ(replayed.seconds, 1e-3);
}

Measurement bounded(const std::string& design) {
  Measurement outcome = timed(design);
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
    const Recorder recorder = [this](const std::vector<std::string>& designs, double best_us,
                                     Outcomes& outcomes) {
      for (const std::string& design : designs) {
        Measurement outcome = bounded(design);
        const bool spared = std::find(named.begin(), named.end(), design) != named.end();
        if (prunes && !spared && is_hopeless(outcome.bound_us, best_us, TimeKind::modelled)) {
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

TEST(Replay, CanBeStopped) {
  const Matrix matrix = battery_matrix("power_law");
  Script script;
  const std::atomic<bool> stop = true;
  ReplayPlan plan = plan_of(variant("whole"), 0, 100);
  plan.stop = &stop;
  EXPECT_EQ(replay(matrix, script.recorded, plan, script.recorder()).evaluations, 0);
}

}  // namespace
}  // namespace alphasparse
