// mutation: each kind makes its own change, and all of them give designs that a search may try.
#include "search/structure/mutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>

#include "operators/catalogue.h"
#include "operators/named_designs.h"
#include "search/space/chains.h"
#include "search/structure/growth.h"
#include "tests/support/battery.h"
#include "tests/support/design_steps.h"
#include "tests/support/search_fixture.h"
#include "tools/synthetic/synthetic.h"

namespace alphasparse {
namespace {

/// All operators of the tree, sorted.
std::vector<std::string> operators_of(const CanonicalDesign& design) {
  std::vector<std::string> names;
  for (const ChainPath& path : chain_paths(design.tree())) {
    for (const Step& step : find_chain(design.tree(), path).steps) names.push_back(step.op);
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Designs that a kind makes of one; those of every seed that came to one.
Designs children(const SearchSpace& space, const char* kind, const CanonicalDesign& parent,
                 const CanonicalDesign* other = nullptr, int seeds = 120) {
  Designs designs;
  for (int seed = 0; seed < seeds; ++seed) {
    Random random(seed);
    auto design = find_mutation(kind)->make(space, {parent, other}, random);
    if (design && *design != parent) designs.push_back(std::move(*design));
  }
  return designs;
}

TEST(Mutate, AddsNoLeavesBeyondTheLimit) {
  const Matrix matrix = battery_matrix("power_law");
  SearchFixture fixture(matrix);
  fixture.space.limits.leaves_max = 3;
  Random random(5);
  std::size_t most = 0;
  for (int walk = 0; walk < 8; ++walk) {
    CanonicalDesign design = known_of("csr-scalar");
    for (int step = 0; step < 12; ++step) {
      const auto next =
          mutate(fixture.space, {design, &design}, random, {"remove", "unbranch", "parameter"});
      if (!next) continue;
      design = *next;
      const std::vector<std::string> names = operators_of(design);
      const auto leaves =
          static_cast<std::size_t>(std::count(names.begin(), names.end(), "launch"));
      EXPECT_LE(leaves, 3u) << design.text();
      most = std::max(most, leaves);
    }
  }
  EXPECT_EQ(most, 3u) << "or the limit is not tested";
}

TEST(Mutate, EndsWhereNobodyWaits) {
  const Matrix matrix = battery_matrix("power_law");
  SearchFixture fixture(matrix);
  const CanonicalDesign design = known_of("csr-scalar");
  const std::atomic<bool> stop = true;
  const Deadline deadline{{}, &stop};
  Random random(5);
  EXPECT_TRUE(mutate(fixture.space, {design, &design}, random));
  fixture.space.deadline = &deadline;
  EXPECT_FALSE(mutate(fixture.space, {design, &design}, random));
  EXPECT_FALSE(grow(fixture.space, random));
}

TEST(Mutation, EveryResultIsLegalAndCanonicalOnTheBattery) {
  std::map<std::string_view, int> made;
  for (const NamedMatrix& entry : battery()) {
    SearchFixture fixture(entry.matrix);
    fixture.space.limits.unmodelled = true;
    Random random(11);
    const CanonicalDesign other = grow(fixture.space, random).value();
    for (int seed = 0; seed < 25; ++seed) {
      const std::optional<CanonicalDesign> parent = grow(fixture.space, random);
      ASSERT_TRUE(parent);
      for (const Mutation& mutation : mutations()) {
        const auto design = mutation.make(fixture.space, {*parent, &other}, random);
        if (!design) continue;
        ++made[mutation.name];
        EXPECT_EQ(fixture.problem_of(*design), "") << entry.name << ", " << mutation.name << " of "
                                                   << parent->text() << ": " << design->text();
      }
    }
  }
  for (const Mutation& mutation : mutations()) EXPECT_GT(made[mutation.name], 10) << mutation.name;
}

TEST(Mutation, InsertMakesAChainLonger) {
  const Matrix matrix = battery_matrix("power_law");
  SearchFixture fixture(matrix);
  const CanonicalDesign parent = known_of("csr-vector");
  const auto designs = children(fixture.space, "insert", parent);
  EXPECT_GT(designs.size(), 20u);
  for (const CanonicalDesign& design : designs) {
    EXPECT_GT(operators_of(design).size(), operators_of(parent).size()) << design.text();
  }
}

TEST(Mutation, RemoveMakesAChainShorter) {
  const Matrix matrix = battery_matrix("stencil_23");
  SearchFixture fixture(matrix);
  const CanonicalDesign parent = known_of("sell-c-sigma");
  const auto designs = children(fixture.space, "remove", parent);
  EXPECT_GT(designs.size(), 20u);
  for (const CanonicalDesign& design : designs) {
    EXPECT_LT(operators_of(design).size(), operators_of(parent).size()) << design.text();
  }
}

TEST(Mutation, ReplaceLeavesOneOperatorOutAndBringsAnotherIn) {
  const Matrix matrix = battery_matrix("stencil_23");
  SearchFixture fixture(matrix);
  const CanonicalDesign parent = known_of("csr-vector");
  const auto designs = children(fixture.space, "replace", parent, nullptr, 400);
  EXPECT_GT(designs.size(), 20u);
  const std::vector<std::string> before = operators_of(parent);
  for (const CanonicalDesign& design : designs) {
    const std::vector<std::string> after = operators_of(design);
    std::vector<std::string> gone, come;
    std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                        std::back_inserter(gone));
    std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                        std::back_inserter(come));
    EXPECT_FALSE(gone.empty()) << design.text();
    EXPECT_FALSE(come.empty()) << design.text();
  }
}

TEST(Mutation, ReplaceKeepsWhatBranchesDo) {
  const Matrix matrix = battery_matrix("power_law");
  SearchFixture fixture(matrix);
  const CanonicalDesign parent = known_of(
      "bin_rows at=9 { compress | thread_rows rows=1 | thread_total | global_store | launch "
      "threads=64 } { compress | thread_cols lanes=32 | thread_total | warp_total | global_store | "
      "launch threads=512 }");
  std::size_t split_otherwise = 0;
  for (const CanonicalDesign& design : children(fixture.space, "replace", parent, nullptr, 400)) {
    if (design.tree().steps.front().op == "bin_rows" ||
        design.tree().steps.front().branches.empty())
      continue;
    ++split_otherwise;
    const std::string text = design.text();
    EXPECT_NE(text.find("thread_cols lanes=32 | thread_total | warp_total"), std::string::npos)
        << text;
  }
  EXPECT_GT(split_otherwise, 5u);
}

TEST(Mutation, ParameterChangesNoStructure) {
  const Matrix matrix = battery_matrix("power_law");
  SearchFixture fixture(matrix);
  for (const char* const name : {"csr5", "merge-csr", "csr-stream", "csr-vector", "hyb"}) {
    const CanonicalDesign parent = known_of(name);
    const auto designs = children(fixture.space, "parameter", parent);
    EXPECT_GT(designs.size(), 10u) << name;
    for (const CanonicalDesign& design : designs) {
      EXPECT_EQ(design.structure(), parent.structure());
    }
  }
}

TEST(Mutation, ParameterTakesTiedOnesAlong) {
  const Matrix matrix = battery_matrix("power_law");
  SearchFixture fixture(matrix);
  int wider = 0;
  for (const CanonicalDesign& design : children(fixture.space, "parameter", known_of("csr5"))) {
    const std::string text = design.text();
    wider += text.find("warp_nnz nnz=1024 | thread_nnz nnz=32") != std::string::npos;
  }
  EXPECT_GT(wider, 0);
  for (const CanonicalDesign& design :
       children(fixture.space, "parameter", known_of("merge-csr"))) {
    EXPECT_TRUE(design.text().ends_with("launch threads=128"))
        << "a tile of 128 threads needs them: " << design.text();
  }
}

TEST(Mutation, SpliceGoesOnAsTheOtherDesignDoes) {
  const Matrix matrix = battery_matrix("power_law");
  SearchFixture fixture(matrix);
  const CanonicalDesign parent =
      known_of("sort_rows_in_bands rows=256 | " + resolve_design("csr-vector"));
  const CanonicalDesign other = known_of("csr5");
  const auto designs = children(fixture.space, "splice", parent, &other);
  EXPECT_GT(designs.size(), 20u);
  int both = 0;
  for (const CanonicalDesign& design : designs) {
    const std::string text = design.text();
    both += text.starts_with(
        "sort_rows_in_bands rows=256 | compress | warp_nnz nnz=512 | "
        "thread_nnz nnz=16 | interleave | thread_bitmap | warp_segment");
  }
  EXPECT_GT(both, 0);
  Random random(1);
  EXPECT_FALSE(find_mutation("splice")->make(fixture.space, {parent}, random));
}

TEST(Mutation, BranchAndUnbranch) {
  const Matrix matrix = battery_matrix("power_law");
  SearchFixture fixture(matrix);
  const CanonicalDesign parent = known_of("csr-vector");
  const CanonicalDesign other = known_of("csr5");
  const auto branched = children(fixture.space, "branch", parent, &other);
  EXPECT_GT(branched.size(), 20u);
  int kept = 0, others = 0;
  for (const CanonicalDesign& design : branched) {
    EXPECT_GT(chain_paths(design.tree()).size(), 2u);
    const std::string text = design.text();
    kept +=
        text.find("thread_cols lanes=32 | thread_total batch=8 | warp_total") != std::string::npos;
    others += text.find("warp_nnz nnz=512 | thread_nnz nnz=16") != std::string::npos;
  }
  EXPECT_GT(kept, static_cast<int>(branched.size()) / 2);
  EXPECT_GT(others, 0);
  const auto joined = children(fixture.space, "unbranch", branched.front());
  EXPECT_GT(joined.size(), 20u);
  for (const CanonicalDesign& design : joined) {
    EXPECT_LT(chain_paths(design.tree()).size(), chain_paths(branched.front().tree()).size());
  }
  Random random(1);
  EXPECT_FALSE(find_mutation("unbranch")->make(fixture.space, {parent}, random));
}

TEST(Mutation, KindsCanBeSwitchedOff) {
  const Matrix matrix = battery_matrix("power_law");
  SearchFixture fixture(matrix);
  const CanonicalDesign parent = known_of("csr5");
  for (int seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const auto design = mutate(fixture.space, {parent}, random,
                               {"insert", "remove", "replace", "splice", "branch", "unbranch"});
    ASSERT_TRUE(design);
    EXPECT_EQ(design->structure(), parent.structure());
  }
  std::vector<std::string_view> all;
  for (const Mutation& mutation : mutations()) all.push_back(mutation.name);
  Random random(1);
  EXPECT_FALSE(mutate(fixture.space, {parent}, random, all));
}

TEST(Mutation, TheSameSeedGivesTheSameDesigns) {
  const Matrix matrix = battery_matrix("power_law");
  std::vector<std::string> runs[2];
  for (auto& texts : runs) {
    SearchFixture fixture(matrix);
    Random random(3);
    CanonicalDesign design = known_of("csr-vector");
    for (int i = 0; i < 60; ++i) {
      design = mutate(fixture.space, {design}, random).value_or(design);
      texts.push_back(design.text());
    }
  }
  EXPECT_EQ(runs[0], runs[1]);
}

double per_second(int count, const std::function<void()>& propose) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) propose();
  return count / std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(Mutation, PrintsProposalsASecond) {
  SyntheticOptions options = find_archetype(ArchetypeKind::rmat).defaults;
  options.rows = options.cols = 12'000;
  const Result<Matrix> matrix = synthetic_matrix(options);
  ASSERT_TRUE(matrix.ok()) << matrix.reason();
  SearchFixture fixture(*matrix);
  Random random(1);
  CanonicalDesign current = known_of("csr-vector");
  const double grown = per_second(100, [&] { EXPECT_TRUE(grow(fixture.space, random)); });
  int mutated = 0;
  const double warm =
      per_second(300, [&] { mutated += mutate(fixture.space, {current}, random).has_value(); });
  EXPECT_GT(mutated, 290) << "an attempt may fail, but hardly all of them";
  const double walking = per_second(300, [&] {
    if (auto next = mutate(fixture.space, {current}, random)) current = std::move(*next);
  });
  std::printf("%lld non-zeros: %.0f grown a second, %.0f mutations of one design, %.0f in a walk\n",
              static_cast<long long>(matrix->nnz()), grown, warm, walking);
}

}  // namespace
}  // namespace alphasparse
