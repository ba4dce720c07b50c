// replay_test: the search on recorded outcomes, and what its parts are worth on times that a script
// makes up.
#include "search/judging/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "operators/named_designs.h"
#include "runtime/emulated/lower_bound.h"
#include "runtime/system/parallel.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

/// What a design's words do to its time, where all of a rule's are there.
struct Rule {
  std::vector<const char*> words;
  double factor;
};

/// Times that follow from the text of a design: from its words, and from its numbers, each of which
/// is best at one place of its grid.
struct Landscape {
  std::vector<Rule> rules;
  double octave = 0;  ///< what the square of the octaves from that place costs

  double structure_us(const std::string& design) const {
    double time_us = 100;
    for (const Rule& rule : rules) {
      const bool all = std::all_of(rule.words.begin(), rule.words.end(), [&](const char* word) {
        return design.find(word) != std::string::npos;
      });
      if (all) time_us *= rule.factor;
    }
    return time_us;
  }

  double time_us(const std::string& design) const {
    double time_us = structure_us(design);
    for_each_step(*parse_design(design), [&](const Step& step) {
      for (const Parameter& parameter : step.parameters) {
        double number = 0;
        if (std::sscanf(parameter.value.c_str(), "%lf", &number) != 1 || number <= 0) continue;
        const double best = parameter.name == "threads" ? 6.6 : parameter.name == "rows" ? 4.3 : 2;
        time_us *= 1 + octave * std::pow(std::log2(number) - best, 2);
      }
    });
    return time_us;
  }
};

/// Pads, staging and reordering cost by themselves; what they allow pays.
Landscape landscape_of(double pad, double interleaved, double one, double both, double octave) {
  return {{{{"sort_rows_in_bands"}, 0.8},
           {{"warp_rows"}, 0.85},
           {{"thread_pad"}, pad},
           {{"thread_pad | interleave"}, interleaved},
           {{"stage_x"}, one},
           {{"reorder"}, one},
           {{"stage_x", "reorder"}, both},
           {{" { "}, 1.2},
           {{"global_atomic"}, 1.2}},
          octave};
}

const Landscape& hills() {
  static const Landscape all = landscape_of(1.25, 0.5, 1.2, 0.5, 0.06);
  return all;
}

/// Steeper, and nothing but structure: no single change from a good design is better.
const Landscape& valleys() {
  static const Landscape all = landscape_of(1.4, 0.45, 1.35, 0.35, 0);
  return all;
}

Measurement timed(const std::string& design, const Landscape& landscape = hills()) {
  Measurement outcome;
  outcome.design = design;
  outcome.verified = true;
  outcome.trial_us = 1000;
  outcome.timing.emplace().time_us = landscape.time_us(design);
  return outcome;
}

/// Records whatever is asked for, and counts it.
struct Script {
  const Landscape& landscape = hills();
  Outcomes recorded;
  std::int64_t asked = 0;

  Recorder recorder() {
    return [this](const std::vector<std::string>& designs, double, Outcomes& outcomes) {
      for (const std::string& design : designs)
        outcomes.insert_or_assign(design, timed(design, landscape));
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
      Measurement& outcome = recorded[line] = timed(line);
      outcome.timing->time_us = line == named.front() ? 10 : line == named.back() ? 31 : 29;
    }
    ReplayPlan plan = plan_of(variant("whole"), 0, 100);
    plan.search.parts.bounds = with_bounds;
    const Replayed replayed = replay(matrix, recorded, plan);
    EXPECT_EQ(replayed.pruned, with_bounds ? 1 : 0);
    EXPECT_EQ(replayed.tried.contains(named.back()), !with_bounds);
    EXPECT_EQ(replayed.evaluations + replayed.pruned, static_cast<std::int64_t>(named.size()));
  }
}

/// Of several seeds: what was tried, and the geometric mean of the best times.
struct Worth {
  std::vector<std::set<std::string>> tried;
  double best_us = 0;
};

constexpr std::size_t seeds = 24;

Worth worth_of(const char* name, const SearchParts& parts, const Landscape& landscape,
               std::int64_t evaluations) {
  const Matrix matrix = battery_matrix("stencil_23");
  Worth worth;
  worth.tried.resize(seeds);
  std::vector<double> logs(seeds);
  parallel_for(seeds, machine_threads(), [&](std::size_t seed, std::size_t) {
    Script script{landscape, {}, 0};
    ReplayPlan plan;
    plan.search.seed = seed;
    plan.search.parts = parts;
    plan.evaluations = evaluations;
    Replayed replayed = replay(matrix, script.recorded, plan, script.recorder());
    logs[seed] = std::log(replayed.bests.back().time_us);
    worth.tried[seed] = std::move(replayed.tried);
  });
  double sum = 0, squares = 0;
  for (const double each : logs) {
    sum += each;
    squares += each * each;
  }
  const double mean = sum / seeds;
  worth.best_us = std::exp(mean);
  std::printf("%-13s %.2f us, standard error %.1f %%\n", name, worth.best_us,
              100 * std::sqrt(std::max(0.0, squares / seeds - mean * mean) / seeds));
  return worth;
}

Worth worth_of(std::string_view name) {
  const SearchVariant& found = variant(name);
  return worth_of(std::string(name).c_str(), found.parts, hills(), 160);
}

std::size_t tried_alike(const Worth& a, const Worth& b) {
  std::size_t alike = 0;
  for (std::size_t seed = 0; seed < seeds; ++seed) alike += a.tried[seed] == b.tried[seed];
  return alike;
}

// The script has what each part is for: operators that pay only together, places in the grids of
// parameters, formats that no named design is near.
TEST(Replay, EveryPartChangesWhatIsTriedAndEarnsItsPlace) {
  const Worth whole = worth_of("whole");
  for (const char* const part : {"no-model", "no-growth", "no-structure", "level-2"}) {
    const Worth without = worth_of(part);
    EXPECT_EQ(tried_alike(whole, without), 0U) << part;
    EXPECT_LT(whole.best_us, without.best_us) << part;
  }
  const Worth descending = worth_of("no-annealing");
  EXPECT_LE(tried_alike(whole, descending), seeds / 4) << "some meet no slower design to accept";
  EXPECT_LT(whole.best_us, descending.best_us);
  // Mutations and grids change the same parameters: here they make up for it.
  EXPECT_EQ(tried_alike(whole, worth_of("no-fine")), 0U);
}

// Beside grids and fine parameters annealing is worth little in so few trials: the structure search
// is alone here.
TEST(Replay, AnnealingCrossesWhatASearchThatOnlyDescendsDoesNot) {
  SearchParts alone;
  alone.grid = alone.fine = false;
  SearchParts descending = alone;
  descending.annealing = false;
  const Worth with = worth_of("annealing", alone, valleys(), 300);
  const Worth without = worth_of("descending", descending, valleys(), 300);
  EXPECT_LE(tried_alike(with, without), seeds / 4) << "some never meet a slower design to accept";
  EXPECT_LT(with.best_us, 0.97 * without.best_us);
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
