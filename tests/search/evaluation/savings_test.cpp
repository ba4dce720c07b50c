// savings_test: designs that the search need not try. It knows better by a model of measured times,
// by the bans of a matrix, or by lower bounds. As search_parts_test: each part decides.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "operators/catalogue.h"
#include "operators/named_designs.h"
#include "runtime/emulated/lower_bound.h"
#include "search/space/prune_rules.h"
#include "search/strategies/grid_moves.h"
#include "search/strategies/mixed_designs.h"
#include "tests/support/battery.h"
#include "tests/support/decisive_part.h"
#include "tests/support/outcomes.h"
#include "tests/support/scripted_replay.h"
#include "tests/support/search_fixture.h"

namespace alphasparse {
namespace {

// ---- the model

/// A structure with eleven parameters, of sixteen million fine designs.
const GridBase& fine_base(const Matrix& matrix) {
  static const CanonicalDesign design = made_up(
      "reorder by=rcm | sort_rows_in_bands rows=1024 | compress | thread_cols lanes=8 | "
      "thread_total | warp_total | global_store | compact | launch threads=256");
  static const GridBase base = {design, fine_axes(design.tree(), row_facts(matrix.row_first))};
  return base;
}

/// The factor of one parameter: its numbers are best at a quarter of their grid, of its words the
/// last is best, and every one before it a tenth slower.
double axis_factor(const FineAxis& axis, const std::string& value) {
  std::vector<double> numbers;
  std::vector<std::string> words;
  for (const std::string& text : axis.values) {
    const bool is_number = std::isdigit(static_cast<unsigned char>(text.front()));
    if (is_number) numbers.push_back(std::stod(text));
    if (!is_number && text != "rounded") words.push_back(text);  // no search may round
  }
  const auto word = std::find(words.begin(), words.end(), value);
  if (word != words.end()) return std::pow(1.1, words.end() - word - 1);
  if (numbers.empty()) return 1.1;
  const double octaves = std::log2(std::stod(value) / numbers[numbers.size() / 4]);
  return 1 + 0.1 * octaves * octaves;
}

/// Made-up times of that structure; all others fail.
ScriptedTime smooth_times(const GridBase& base) {
  return [&base,
          structure = base.design.structure()](const std::string& design) -> std::optional<double> {
    if (made_up(design).structure() != structure) return std::nullopt;
    const Design parsed = *parse_design(design);
    double time_us = 100;
    for (const FineAxis& axis : base.axes) {
      if (axis.parameter == "fused") continue;  // it is for branches
      const Arguments arguments = *check_arguments(parsed.steps[axis.step]);
      time_us *= axis_factor(axis, arguments.text(axis.parameter));
    }
    return time_us;
  };
}

/// Draws `count` designs of the structure at random that can be built, none of them fast.
std::vector<WarmDesign> slow_draws(const Matrix& matrix, const GridBase& base,
                                   const ScriptedTime& time_of, std::uint64_t seed,
                                   std::size_t count) {
  Designer designer(matrix);
  Random random(seed, 9);
  std::set<std::string> drawn;
  while (drawn.size() < count) {
    const std::string design = all_drawn(base, random).text();
    const bool rounds = design.find("rounded") != std::string::npos;
    if (rounds || *time_of(design) < 250 || !designer.branches(*parse_design(design))) continue;
    drawn.insert(design);
  }
  std::vector<WarmDesign> designs;
  for (const std::string& design : drawn) designs.push_back({made_up(design), "drawn"});
  return designs;
}

/// The best time that 64 proposals bring after the named designs and 300 slow draws. It is the
/// geometric mean of three searches, as one may be unlucky.
double best_after_draws(const Matrix& matrix, const SearchParts& parts, std::uint64_t seed) {
  constexpr std::uint64_t searches = 3;
  constexpr std::size_t draws = 300, more = 64;
  const GridBase& base = fine_base(matrix);
  const ScriptedTime time_of = smooth_times(base);
  double log_sum = 0;
  for (std::uint64_t i = 0; i < searches; ++i) {
    ReplayPlan plan;
    plan.search.seed = searches * seed + i;
    plan.search.parts = parts;
    plan.search.is_measured = true;  // then all parameters are searched
    plan.search.warm.designs = slow_draws(matrix, base, time_of, plan.search.seed, draws);
    plan.evaluations = static_cast<std::int64_t>(draws + named_lines().size() + more);
    Script script{time_of};
    const Replayed replayed = replay(matrix, script.recorded, plan, script.recorder());
    log_sum += std::log(replayed.bests.back().time_us);
  }
  return std::exp(log_sum / searches);
}

TEST(SearchSavings, TheModelRanksWhatDrawingDoesNotFind) {
  const Matrix matrix = battery_matrix("stencil_23");
  fine_base(matrix);  // before the threads
  expect_decisive("model", &SearchParts::model, "under 135 us by 64 proposals",
                  parts_without({&SearchParts::grid, &SearchParts::structure}),
                  [&](const SearchParts& parts, std::uint64_t seed) {
                    return best_after_draws(matrix, parts, seed) < 135;
                  });
}

// ---- designs that cannot win

/// The structures of the designs that no list begins with.
std::set<std::string> structures_of_lists(const Matrix& matrix) {
  const std::vector<std::string> named = named_lines();
  std::set<std::string> structures;
  for (const std::string& design : named) structures.insert(made_up(design).structure());
  for (const CanonicalDesign& design :
       mixed_designs(made_up_designs(named), row_facts(matrix.row_first))) {
    structures.insert(design.structure());
  }
  return structures;
}

/// As of a large matrix, for which three structures are grown or mutated a place, not a dozen.
Features as_of_large(const Matrix& matrix) {
  Features features = compute_features(matrix);
  features.nnz = 4'000'000;
  return features;
}

/// The longer a design's text, the longer it takes.
double time_of_text(const std::string& design) { return 200 + static_cast<double>(design.size()); }

TEST(SearchSavings, WhatBansRuleOutIsNotTried) {
  const Matrix matrix = battery_matrix("stencil_23");
  const Features features = as_of_large(matrix);
  const std::set<std::string> baselines = structures_of_lists(matrix);
  const auto passes = [&](const SearchParts& parts, std::uint64_t seed) {
    Script script{time_of_text};
    ReplayPlan plan;
    plan.search.seed = seed;
    plan.search.parts = parts;
    plan.search.features = &features;
    plan.evaluations = 120;
    const Replayed replayed = replay(matrix, script.recorded, plan, script.recorder());
    SearchFixture fixture(matrix);
    const auto banned =
        std::count_if(replayed.tried.begin(), replayed.tried.end(), [&](const auto& design) {
          return !baselines.contains(made_up(design).structure()) &&
                 prune_reason(fixture.space, *parse_design(design));
        });
    return banned == 0;
  };
  expect_decisive("bans", &SearchParts::prunes, "nothing banned among 120 evaluations",
                  parts_without({&SearchParts::grid, &SearchParts::fine, &SearchParts::model}),
                  passes);
}

/// Tells bounds a tenth below the times, and remembers the designs that they ruled out when
/// proposed.
struct BoundedTimes {
  const std::vector<std::string> named = named_lines();
  Outcomes recorded;
  std::set<std::string> hopeless;
  double best_us = 0;

  Recorder recorder() {
    return [this](const Designs& designs, double, Outcomes& outcomes) {
      for (const std::string& design : list_texts(designs)) {
        Measurement outcome = scripted(design, time_of_text);
        outcome.bound_us = 0.9 * outcome.timing->time_us;
        const bool spared = std::find(named.begin(), named.end(), design) != named.end();
        if (!spared && is_hopeless(*outcome.bound_us, best_us, TimeKind::modelled)) {
          hopeless.insert(design);
        }
        outcomes.insert_or_assign(design, std::move(outcome));
      }
      for (const std::string& design : list_texts(designs)) {
        const double time_us = time_of_text(design);
        if (best_us == 0 || time_us < best_us) best_us = time_us;
      }
    };
  }
};

TEST(SearchSavings, WhatBoundsRuleOutIsNotTried) {
  const Matrix matrix = battery_matrix("stencil_23");
  const Features features = as_of_large(matrix);
  const auto passes = [&](const SearchParts& parts, std::uint64_t seed) {
    BoundedTimes times;
    ReplayPlan plan;
    plan.search.seed = seed;
    plan.search.parts = parts;
    plan.search.features = &features;
    plan.evaluations = 60;
    const Replayed replayed = replay(matrix, times.recorded, plan, times.recorder());
    const auto in_vain =
        std::count_if(replayed.tried.begin(), replayed.tried.end(),
                      [&](const auto& design) { return times.hopeless.contains(design); });
    return in_vain == 0;
  };
  expect_decisive("bounds", &SearchParts::bounds, "nothing hopeless among 60 evaluations",
                  parts_without({&SearchParts::grid, &SearchParts::fine, &SearchParts::model}),
                  passes);
}

}  // namespace
}  // namespace alphasparse
