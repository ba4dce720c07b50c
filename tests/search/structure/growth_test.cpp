// growth: designs that grow are legal, canonical, inside the limits, the same for the same seed,
// and reach the whole catalogue; designs that a practitioner would write are frequent.
#include "search/structure/growth.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <set>

#include "operators/catalogue.h"
#include "operators/parameter_grid.h"
#include "operators/targets.h"
#include "search/space/chains.h"
#include "search/structure/grids.h"
#include "search/structure/operator_weights.h"
#include "tests/support/battery.h"
#include "tests/support/search_fixture.h"

namespace alphasparse {
namespace {

TEST(Growth, EveryDesignIsLegalAndCanonicalOnTheBattery) {
  for (const NamedMatrix& entry : battery()) {
    SearchFixture fixture(entry.matrix);
    for (int seed = 0; seed < 40; ++seed) {
      Random random(seed);
      const std::optional<CanonicalDesign> design = grow(fixture.space, random);
      ASSERT_TRUE(design) << entry.name << ", seed " << seed;
      EXPECT_EQ(fixture.problem_of(*design), "")
          << entry.name << ", seed " << seed << ": " << *design;
    }
  }
}

TEST(Growth, StaysInsideItsLimits) {
  const Matrix matrix = battery_matrix("power_law");
  SearchFixture fixture(matrix);
  fixture.space.limits.branches_max = 3;
  fixture.space.limits.depth_max = 1;
  fixture.space.limits.leaves_max = 3;
  fixture.space.limits.steps_max = 9;
  std::size_t branched = 0;
  for (int seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Design design = grow(fixture.space, random).value().tree();
    const std::vector<ChainPath> paths = chain_paths(design);
    EXPECT_LE(paths.size(), 4u);
    branched += paths.size() > 1;
    for (const ChainPath& path : paths) {
      EXPECT_LE(path.size(), 1u);
      EXPECT_LE(find_chain(design, path).steps.size(), 9u);
    }
  }
  EXPECT_GT(branched, 10u) << "or the limits are not tested";
}

TEST(Growth, TheSameSeedGrowsTheSameDesignWhateverWasGrownBefore) {
  const Matrix matrix = battery_matrix("power_law");
  std::vector<std::string> forwards;
  SearchFixture first(matrix), second(matrix);
  for (int seed = 0; seed < 60; ++seed) {
    Random random(seed);
    forwards.push_back(grow(first.space, random).value().text());
  }
  for (int seed = 59; seed >= 0; --seed) {
    Random random(seed);
    EXPECT_EQ(grow(second.space, random).value().text(), forwards[seed]) << seed;
  }
  EXPECT_GT(std::set<std::string>(forwards.begin(), forwards.end()).size(), 55u);
}

/// A change of these numbers changes every replayed search.
TEST(Random, TheSameNumbersEverywhere) {
  Random random(7, 1), other(7, 2);
  EXPECT_EQ(random.below(1'000'000), 372864u);
  EXPECT_EQ(random.below(1'000'000), 936184u);
  EXPECT_NE(other.below(1'000'000), 372864u);
  std::map<std::size_t, int> counts;
  for (int i = 0; i < 10'000; ++i) ++counts[random.weighted({1, 0, 3})];
  EXPECT_EQ(counts.count(1), 0u);
  EXPECT_NEAR(counts[2], 7500, 200);
}

/// Every operator, and every word that is not its parameter's default, as steps spell them. Growth
/// never rounds values.
std::set<std::string> all_words() {
  std::set<std::string> words;
  for (const Operator* op : catalogue()) {
    words.emplace(op->name);
    for (const ParameterSpec& spec : op->parameters) {
      if (!is_for(spec, Target::gpu)) continue;
      for (const std::string_view word : list_choices(spec, Target::gpu)) {
        if (word == spec.fallback || word == "rounded") continue;
        words.insert(fmt::format("{} {}={}", op->name, spec.name, word));
      }
    }
  }
  return words;
}

/// The battery, and several times a matrix that is wide enough for columns to be split, which
/// growth seldom does.
std::vector<NamedMatrix> matrices_of_growth() {
  std::vector<NamedMatrix> matrices = battery();
  std::vector<std::vector<std::pair<int, double>>> wide(60);
  for (int row = 0; row < 60; ++row) {
    for (int k = 0; k < 7; ++k) wide[row].emplace_back((row * 131 + k * 1283) % 9000, 1.0);
  }
  for (int copy = 0; copy < 8; ++copy) matrices.push_back({"wide", from_rows(9000, wide)});
  return matrices;
}

struct Draws {
  std::set<std::string> missing = all_words();
  int rounds = 0;  ///< one design a matrix each
};

/// Grows until nothing is missing, at most so many rounds.
Draws draw_all(const std::vector<NamedMatrix>& matrices, std::uint64_t seed, int rounds_most) {
  Random random(seed, 1);
  std::deque<SearchFixture> fixtures;
  for (const NamedMatrix& entry : matrices) {
    SearchLimits& limits = fixtures.emplace_back(entry.matrix).space.limits;
    limits.unmodelled = limits.own_order = true;
    limits.vectors = 64;
  }
  Draws draws;
  for (; !draws.missing.empty() && draws.rounds < rounds_most; ++draws.rounds) {
    for (SearchFixture& fixture : fixtures) {
      const std::optional<CanonicalDesign> design = grow(fixture.space, random);
      if (!design) continue;
      for_each_step(design->tree(), [&](const Step& step) {
        draws.missing.erase(step.op);
        for (const Parameter& given : step.parameters) {
          draws.missing.erase(fmt::format("{} {}={}", step.op, given.name, given.value));
        }
      });
    }
  }
  return draws;
}

// When the rarest word comes is a matter of luck, so the rounds are many times the number that was
// ever needed. One seed in the ordinary run; with ALPHASPARSE_LONG 20.
TEST(Growth, ReachesEveryOperatorAndEveryWordOfTheGrids) {
  constexpr int rounds_most = 8000;
  const std::vector<NamedMatrix> matrices = matrices_of_growth();
  const std::uint64_t seeds = std::getenv("ALPHASPARSE_LONG") ? 20 : 1;
  int passed = 0, rounds = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Draws draws = draw_all(matrices, seed, rounds_most);
    for (const std::string& word : draws.missing) ADD_FAILURE() << "never grown: " << word;
    passed += draws.missing.empty();
    rounds = std::max(rounds, draws.rounds);
  }
  std::printf("all operators and words by %d of %lu seeds, in at most %d rounds\n", passed, seeds,
              rounds);
}

TEST(Growth, GoesOnFromAPrefix) {
  const Matrix matrix = battery_matrix("stencil_23");
  SearchFixture fixture(matrix);
  const Design prefix = *parse_design("compress | block_rows rows=64");
  for (int seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const std::string text = grow(fixture.space, random, prefix).value().text();
    EXPECT_TRUE(text.starts_with("compress | block_rows rows=64 | ")) << text;
  }
  Random random(0);
  EXPECT_FALSE(grow(fixture.space, random, *parse_design("launch threads=64")));
}

TEST(Growth, WhatIsUsualIsFrequent) {
  const Matrix matrix = battery_matrix("stencil_23");
  SearchFixture fixture(matrix);
  int chains = 0, by_rows = 0, stored = 0;
  constexpr int count = 1600;  // shares within 1.3 % of their average
  for (int seed = 0; seed < count; ++seed) {
    Random random(seed, 3);
    const std::string text = grow(fixture.space, random).value().text();
    chains += text.find('{') == std::string::npos;
    by_rows += text.find("thread_rows") != std::string::npos;
    stored += text.find("global_store") != std::string::npos;
  }
  std::printf("of %d designs %d are chains, %d by rows, %d stored\n", count, chains, by_rows,
              stored);
  EXPECT_GT(chains, count / 2) << "branches are for large or mixed matrices";
  EXPECT_GT(by_rows, count / 4) << "rows of nearly equal length";
  EXPECT_GT(stored, count * 2 / 5) << "one writer a row, where it can be";
}

TEST(Growth, CompletesWhatIsWantedAndClosesTheGaps) {
  const Matrix matrix = battery_matrix("stencil_23");
  SearchFixture fixture(matrix);
  const auto wanted =
      parse_design("compress | thread_cols lanes=8 | global_store | launch threads=64");
  int closed = 0;
  for (int seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const auto design = complete(fixture.space, root_spot(fixture.space), wanted->steps, random);
    ASSERT_TRUE(design) << seed;
    const CanonicalDesign complete_design = CanonicalDesign::spelled(*design);
    const std::string& text = complete_design.text();
    EXPECT_EQ(complete_design.structure().substr(0, 36), "compress | thread_cols | thread_tota")
        << text;
    EXPECT_NE(text.find("thread_cols lanes=8 | "), std::string::npos) << text;
    EXPECT_NE(text.find("launch threads=64"), std::string::npos) << text;
    const std::string& structure = complete_design.structure();
    closed += structure.find("warp_total | global_store | ") != std::string::npos;
  }
  std::printf("the sums of the lanes are closed in %d of 60\n", closed);
  EXPECT_GT(closed, 5) << "so that the sink that was wanted applies";
}

TEST(Settle, LaterBranchesThatShareRowsAdd) {
  const Matrix matrix = battery_matrix("power_law");
  SearchFixture fixture(matrix);
  const auto normalised = fixture.normalised(
      "ell_peel width=2 { compress | thread_rows rows=1 | thread_total | global_store | launch "
      "threads=64 } { compress | thread_cols lanes=32 | thread_total | warp_total | global_store | "
      "launch threads=64 }");
  EXPECT_NE(normalised.find("global_store"), std::string::npos);
  EXPECT_NE(normalised.find("warp_total | global_add"), std::string::npos);
  const char* const bins =
      "bin_rows at=3 { compress | thread_rows rows=1 | thread_total | global_store | launch "
      "threads=64 } { compress | thread_cols lanes=32 | thread_total | warp_total | global_store | "
      "launch threads=64 }";
  EXPECT_EQ(fixture.normalised(bins), bins) << "rows are whole";
}

TEST(Settle, FusedBranchesHaveEqualThreadsAndCompany) {
  const Matrix matrix = battery_matrix("power_law");
  SearchFixture fixture(matrix);
  const std::string first =
      "{ compress | thread_rows rows=1 | thread_total | global_store | launch threads=64 fused=yes "
      "}";
  const std::string second =
      "{ compress | thread_cols lanes=32 | thread_total | warp_total | global_store | launch ";
  EXPECT_EQ(fixture.normalised("bin_rows at=3 " + first + " " + second + "threads=256 fused=yes }"),
            "bin_rows at=3 " + first + " " + second + "threads=64 fused=yes }");
  EXPECT_EQ(
      fixture.normalised("bin_rows at=3 " + first + " " + second + "threads=256 }").find("fused"),
      std::string::npos);
  EXPECT_EQ(
      fixture.normalised("ell_peel width=2 " + first + " " + second + "threads=64 fused=yes }")
          .find("fused"),
      std::string::npos)
      << "who stores cannot run beside others that write the same rows";
}

TEST(Weights, ArePositiveForEveryOperator) {
  const Matrix matrix = battery_matrix("power_law");
  SearchFixture fixture(matrix);
  for (const Operator* op : catalogue()) {
    EXPECT_GT(find_weight(*op, fixture.space.designer.root().store, fixture.features), 0)
        << op->name;
  }
}

TEST(Grids, NeighboursAreTheNextNumbersOrAnyOtherWord) {
  const ParameterSpec& threads = find_operator("launch")->parameters[0];
  EXPECT_EQ(find_neighbours(threads, "128", {"128", "256", "64", "512"}),
            (std::vector<std::string>{"64", "256"}));
  EXPECT_EQ(find_neighbours(threads, "512", {"128", "256", "64", "512"}),
            (std::vector<std::string>{"256"}));
  EXPECT_EQ(find_neighbours(threads, "100", {"128", "256", "64", "512"}),
            (std::vector<std::string>{"64", "128"}));
  const ParameterSpec& width = find_operator("ell_peel")->parameters[0];
  EXPECT_EQ(find_neighbours(width, "third", {"third", "4", "5"}),
            (std::vector<std::string>{"4", "5"}));
}

TEST(Grids, CutsOfRowLengthsLeaveNoBinEmpty) {
  const Matrix matrix = battery_matrix("power_law");
  SearchFixture fixture(matrix);
  const Operator& bins = *find_operator("bin_rows");
  const Prefix root = fixture.space.designer.root();
  const auto grid = make_grid(fixture.space, bins.parameters[0], root.store);
  EXPECT_GE(grid.size(), 3u);
  for (const std::string& at : grid) {
    Step step{"bin_rows", {{"at", at}}, {}};
    step.branches.resize(1 + static_cast<std::size_t>(std::count(at.begin(), at.end(), ',')) + 1);
    const auto parts = fixture.space.designer.inside(root, step);
    ASSERT_TRUE(parts.ok()) << at;
    EXPECT_GT(parts->front().store.rows(), 0) << at;
    EXPECT_GT(parts->back().store.rows(), 0) << at;
  }
  const Matrix equal = battery_matrix("diagonal_100");
  SearchFixture same(equal);
  EXPECT_TRUE(make_grid(same.space, bins.parameters[0], same.space.designer.root().store).empty());
}

}  // namespace
}  // namespace alphasparse
