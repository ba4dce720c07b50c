// parts_test: the purpose of each part of the search, and that nothing else serves it. Every
// scenario is a made-up world in which one part decides. The whole search passes with every seed,
// and without the part it never does. The margins are so large that a new operator or parameter
// does not turn them.
//
// Where other parts would have the same effect, or would add chance, they are left out on both
// sides.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <set>

#include "operators/catalogue.h"
#include "operators/named_designs.h"
#include "operators/parameter_grid.h"
#include "search/strategies/mixed_designs.h"
#include "tests/support/battery.h"
#include "tests/support/decisive_part.h"
#include "tests/support/design_steps.h"
#include "tests/support/outcomes.h"
#include "tests/support/scripted_replay.h"

namespace alphasparse {
namespace {

bool has(const std::string& design, const char* words) {
  return design.find(words) != std::string::npos;
}

std::string line_of(const std::string& name) { return print_design(design_of(name)); }

/// The designs that every search begins with, for any times.
std::set<std::string> listed(const Matrix& matrix) {
  const std::vector<std::string> named = named_lines();
  const std::vector<std::string> mixed =
      list_texts(mixed_designs(made_up_designs(named), row_facts(matrix.row_first)));
  std::set<std::string> all(named.begin(), named.end());
  all.insert(mixed.begin(), mixed.end());
  return all;
}

/// A search that ends as soon as it has reached a time.
struct Race {
  const Matrix& matrix;
  ScriptedTime time_of;
  double goal_us;
  std::int64_t evaluations;

  bool is_won(const SearchParts& parts, std::uint64_t seed) const {
    Script script{time_of};
    std::atomic<bool> reached = false;
    const Recorder record = [&, inner = script.recorder()](const Designs& designs, double best_us,
                                                           Outcomes& outcomes) {
      inner(designs, best_us, outcomes);
      for (const std::string& design : list_texts(designs)) {
        const std::optional<double> time_us = time_of(design);
        if (time_us && *time_us <= goal_us) reached = true;
      }
    };
    // As for a large matrix: the model chooses from three structures a place, not from a dozen.
    Features features = compute_features(matrix);
    features.nnz = 4'000'000;
    ReplayPlan plan;
    plan.search.seed = seed;
    plan.search.parts = parts;
    plan.search.features = &features;
    plan.evaluations = evaluations;
    plan.stop = &reached;
    replay(matrix, script.recorded, plan, record);
    return reached;
  }
};

/// Whether it has nothing but csr-scalar's operators and these.
bool is_csr_scalar_with(const std::string& design, std::set<std::string> operators) {
  const Design csr_scalar = *parse_design(line_of("csr-scalar"));
  for (const Step& step : csr_scalar.steps) operators.insert(step.op);
  bool all = true;
  for_each_step(*parse_design(design),
                [&](const Step& step) { all = all && operators.contains(step.op); });
  return all;
}

bool is_listed_but_csr_scalar(const std::set<std::string>& listed, const std::string& design) {
  return listed.contains(design) && design != line_of("csr-scalar");
}

/// Only csr-scalar and its forms with three more operators work. They take so long with none, one,
/// two and all of them.
ScriptedTime three_steps(const Matrix& matrix, const std::array<double, 4>& times_us) {
  return [=, listed = listed(matrix)](const std::string& design) -> std::optional<double> {
    const std::set<std::string> three = {"sort_rows_in_bands", "thread_pad", "compact"};
    if (!is_csr_scalar_with(design, three) || is_listed_but_csr_scalar(listed, design))
      return std::nullopt;
    std::size_t steps = 0;
    for_each_step(*parse_design(design),
                  [&](const Step& step) { steps += three.contains(step.op); });
    return times_us.at(steps);
  };
}

bool has_usual_blocks(const std::string& design) {
  bool usual = true;
  for_each_step(*parse_design(design), [&](const Step& step) {
    if (step.op == "launch") usual = usual && check_arguments(step)->integer("threads") == 256;
  });
  return usual;
}

/// Rows a thread with blocks of 256 work, and columns a thread with any others, twice as fast;
/// nothing in between does.
ScriptedTime two_islands(const Matrix& matrix) {
  return [listed = listed(matrix)](const std::string& design) -> std::optional<double> {
    if (has(design, "{") || is_listed_but_csr_scalar(listed, design)) return std::nullopt;
    const bool usual = has_usual_blocks(design);
    if (has(design, "thread_rows") && usual) return 100;
    if (!has(design, "thread_rows") && has(design, "thread_cols") && !usual) return 50;
    return std::nullopt;
  };
}

TEST(SearchParts, GrowthReachesWhatNoMutationLeadsTo) {
  const Matrix matrix = battery_matrix("stencil_23");
  const Race race{matrix, two_islands(matrix), 60, 400};
  const SearchParts with =
      parts_without({&SearchParts::grid, &SearchParts::fine, &SearchParts::model});
  expect_decisive(
      "growth", &SearchParts::growth, "the other island in 400 evaluations", with,
      [&](const SearchParts& parts, std::uint64_t seed) { return race.is_won(parts, seed); });
}

TEST(SearchParts, AnnealingCrossesWhatIsSlower) {
  const Matrix matrix = battery_matrix("stencil_23");
  const Race race{matrix, three_steps(matrix, {100, 100.5, 100.5, 50}), 60, 400};
  const SearchParts with = parts_without(
      {&SearchParts::grid, &SearchParts::fine, &SearchParts::growth, &SearchParts::model});
  expect_decisive(
      "annealing", &SearchParts::annealing, "across the ridge in 400 evaluations", with,
      [&](const SearchParts& parts, std::uint64_t seed) { return race.is_won(parts, seed); });
}

TEST(SearchParts, StructureCombinesWhatNoListedDesignHas) {
  const Matrix matrix = battery_matrix("stencil_23");
  const ScriptedTime downhill = three_steps(matrix, {100, 90, 80, 50});
  const Race race{matrix,
                  [&](const std::string& design) -> std::optional<double> {
                    // Threads of so many non-zeros take no pads: two of three would be a dead end.
                    if (has(design, "nnz=")) return std::nullopt;
                    return downhill(design);
                  },
                  60, 800};
  expect_decisive(
      "structure", &SearchParts::structure, "three more operators in 800 evaluations",
      parts_without({&SearchParts::fine, &SearchParts::model}),
      [&](const SearchParts& parts, std::uint64_t seed) { return race.is_won(parts, seed); });
}

/// csr-scalar with other numbers alone, fastest with blocks of 192, which no coarse grid has.
ScriptedTime between_coarse_values() {
  return [](const std::string& design) -> std::optional<double> {
    if (!is_csr_scalar_with(design, {})) return std::nullopt;
    return 100 * (1 + squared_octaves(design, "threads", 192));
  };
}

TEST(SearchParts, FineFindsWhatLiesBetweenCoarseValues) {
  const Matrix matrix = battery_matrix("stencil_23");
  const Race race{matrix, between_coarse_values(), 102, 500};
  expect_decisive(
      "fine", &SearchParts::fine, "blocks of 192 in 500 evaluations", {},
      [&](const SearchParts& parts, std::uint64_t seed) { return race.is_won(parts, seed); });
}

/// hyb begins slower than csr-scalar and is several times as fast with small blocks.
ScriptedTime slow_as_it_comes() {
  return [](const std::string& design) -> std::optional<double> {
    const std::string structure = made_up(design).structure();
    if (structure == made_up(line_of("csr-scalar")).structure()) return 100;
    if (structure != made_up(line_of("hyb")).structure()) return std::nullopt;
    return 22 * (1 + 0.5 * squared_octaves(design, "threads", 64));
  };
}

TEST(SearchParts, GridTriesParametersOfWhatIsNotTheFastest) {
  const Matrix matrix = battery_matrix("stencil_23");
  const Race race{matrix, slow_as_it_comes(), 40, 500};
  expect_decisive(
      "grid", &SearchParts::grid, "small blocks in 500 evaluations",
      parts_without({&SearchParts::fine}),
      [&](const SearchParts& parts, std::uint64_t seed) { return race.is_won(parts, seed); });
}

TEST(SearchParts, ChanceDoesNotDoWhatTheWholeDoes) {
  const Matrix matrix = battery_matrix("stencil_23");
  const Race race{matrix, between_coarse_values(), 102, 500};
  expect_decisive(
      "all but chance", &SearchParts::chance, "blocks of 192 in 500 evaluations", {},
      [&](const SearchParts& parts, std::uint64_t seed) { return race.is_won(parts, seed); });
}

}  // namespace
}  // namespace alphasparse
