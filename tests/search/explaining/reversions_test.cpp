// reversions: every step of a design is taken back in every branch, and the result may be tried.
#include "search/explaining/reversions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "operators/catalogue.h"
#include "operators/named_designs.h"
#include "search/estimates/sample.h"
#include "search/space/chains.h"
#include "tests/support/battery.h"
#include "tests/support/design_steps.h"
#include "tests/support/search_fixture.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

#define ELL "compress | thread_rows rows=1 | thread_pad | interleave | thread_total | "

std::vector<Reversion> reversions_of(const Matrix& matrix, const std::string& winner,
                                     const std::string& reference) {
  SearchFixture fixture(matrix);
  const CanonicalDesign beside = known_of(reference);
  return reversions(fixture.space, known_of(winner), &beside);
}

/// The results of taking back steps of that name, by the kind of change.
std::map<std::string, std::string> of_step(const std::vector<Reversion>& all,
                                           const std::string& step) {
  std::map<std::string, std::string> designs;
  for (const Reversion& one : all) {
    if (one.step == step) designs[one.what] = one.design ? one.design->text() : one.rejection;
  }
  return designs;
}

/// Each step of each branch has a reversion, and each is legal, canonical and another design.
void expect_whole(const Matrix& matrix, const CanonicalDesign& winner,
                  const CanonicalDesign& reference) {
  SearchFixture fixture(matrix);
  const std::vector<Reversion> all = reversions(fixture.space, winner, &reference);
  std::set<std::pair<std::string, std::string>> covered;
  for (const Reversion& one : all) {
    covered.emplace(one.branch, one.step);
    EXPECT_FALSE(one.what.empty()) << one.step;
    EXPECT_EQ(one.design.has_value(), one.rejection.empty()) << one.what;
    if (!one.design) continue;
    EXPECT_NE(*one.design, winner) << one.what;
    EXPECT_EQ(fixture.problem_of(*one.design), "") << one.what << ": " << *one.design;
  }
  for (const ChainPath& path : chain_paths(winner.tree())) {
    std::string branch;
    for (const std::size_t part : path)
      branch += (branch.empty() ? "" : ".") + std::to_string(part + 1);
    for (const Step& step : find_chain(winner.tree(), path).steps) {
      EXPECT_TRUE(covered.contains({branch, step.op}))
          << step.op << " of branch '" << branch << "' of " << winner;
    }
  }
}

TEST(Reversions, CoverEveryStepOfTheNamedDesigns) {
  for (const char* name : {"power_law", "stencil_23"}) {
    const Matrix matrix = battery_matrix(name);
    Designer designer(matrix);
    for (const NamedDesign& named : named_designs(Target::gpu)) {
      const CanonicalDesign winner = known_of(std::string(named.line));
      if (designer.branches(winner)) expect_whole(matrix, winner, known_of("csr-vector"));
    }
  }
}

TEST(Reversions, AreTheSameEveryTime) {
  const Matrix matrix = battery_matrix("power_law");
  const auto once = reversions_of(matrix, "hyb", "csr5");
  const auto twice = reversions_of(matrix, "hyb", "csr5");
  ASSERT_EQ(once.size(), twice.size());
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].what, twice[i].what);
    EXPECT_EQ(once[i].design, twice[i].design);
  }
}

TEST(Reversions, TakeAStepOutAlone) {
  const auto all =
      reversions_of(uneven, ELL "global_store | compact | launch threads=128", "csr-scalar");
  EXPECT_EQ(of_step(all, "interleave"),
            (std::map<std::string, std::string>{
                {"without interleave",
                 "compress | thread_rows rows=1 | thread_pad | thread_total | global_store | "
                 "compact | launch threads=128"}}));
  EXPECT_EQ(of_step(all, "compact"),
            (std::map<std::string, std::string>{{"without compact", ELL "global_store | launch "
                                                                        "threads=128"}}));
}

TEST(Reversions, TakeOutWhatDependsOnAStep) {
  const auto all = reversions_of(uneven, ELL "global_store | launch threads=128", "csr-scalar");
  EXPECT_EQ(of_step(all, "thread_pad"),
            (std::map<std::string, std::string>{
                {"without thread_pad | interleave",
                 "compress | thread_rows rows=1 | thread_total | global_store | "
                 "launch threads=128"}}));
}

TEST(Reversions, PutParametersBackAndTakeThoseOfTheReference) {
  const auto all = reversions_of(
      uneven, ELL "global_store | compact columns=deltas | launch threads=128", "csr-scalar");
  const auto compact = of_step(all, "compact");
  EXPECT_TRUE(compact.contains("without compact columns=deltas"));
  EXPECT_EQ(compact.at("compact for compact columns=deltas"),
            ELL "global_store | compact | launch threads=128");
  EXPECT_EQ(of_step(all, "launch"),
            (std::map<std::string, std::string>{
                {"launch threads=256 for launch threads=128",
                 ELL "global_store | compact columns=deltas | launch threads=256"}}));
}

TEST(Reversions, MapThreadsAsTheReferenceDoes) {
  const Matrix matrix = battery_matrix("power_law");
  const auto all = reversions_of(matrix, "csr-vector", "csr5");
  bool found = false;
  for (const auto& [what, design] : of_step(all, "thread_cols"))
    found = found || design.find("thread_nnz nnz=16") != std::string::npos;
  EXPECT_TRUE(found) << "csr5's threads have 16 non-zeros each";
}

TEST(Reversions, SayNothingTwice) {
  const auto all = reversions_of(uneven,
                                 "compress | block_rows nnz=256 | thread_cols width=8 | stage_x | "
                                 "thread_total | global_atomic | launch threads=256",
                                 "csr-stream");
  std::set<std::string> told;
  for (const Reversion& one : all)
    EXPECT_TRUE(told.insert(one.step + ": " + one.what).second) << one.what;
  EXPECT_TRUE(told.contains("thread_cols: thread_nnz nnz=1 for thread_cols width=8"));
}

TEST(Reversions, GiveOneBranchAllRows) {
  const auto split = of_step(
      reversions_of(stairs,
                    "bin_rows at=3 { " ELL "global_store | launch threads=128 } { compress | "
                    "thread_cols lanes=2 | thread_total | warp_total | "
                    "global_store | launch threads=64 }",
                    "csr-scalar"),
      "bin_rows");
  EXPECT_EQ(split.at("without bin_rows at=3, branch 1 for all"),
            ELL "global_store | launch threads=128");
  EXPECT_EQ(split.at("without bin_rows at=3, branch 2 for all"),
            "compress | thread_cols lanes=2 | thread_total | warp_total | global_store | "
            "launch threads=64");
}

TEST(Reversions, GrowAcrossTheGap) {
  const Matrix matrix = battery_matrix("power_law");
  const auto sums = of_step(reversions_of(matrix, "csr-vector", "csr-vector"), "warp_total");
  ASSERT_EQ(sums.size(), 1u);
  EXPECT_NE(sums.begin()->second.find("global_atomic"), std::string::npos)
      << sums.begin()->first << ": " << sums.begin()->second;
}

TEST(Reversions, SayWhyNot) {
  const auto all = reversions_of(uneven, "csr-scalar", "csr-scalar");
  EXPECT_EQ(of_step(all, "launch").size(), 1u);
  EXPECT_NE(of_step(all, "launch").at("without launch").find("every design has one"),
            std::string::npos);
}

/// The numbers of a part would read as facts of the matrix.
TEST(Reversions, SayOfWhichPartARefusalIs) {
  const Matrix whole = battery_matrix("power_law");
  const Matrix part = make_sample(whole, whole.nnz() / 3);
  ASSERT_LT(part.nnz(), whole.nnz());
  SearchFixture of_whole(whole);
  Designer asked(part);
  const SearchSpace of_part{asked, of_whole.features};
  const CanonicalDesign winner = known_of("hyb"), beside = known_of("csr5");
  const std::string said = "of a part of " + std::to_string(part.nnz()) + " non-zeros: ";
  int refused = 0;
  for (const Reversion& one : reversions(of_part, winner, &beside)) {
    const bool is_rejected =
        one.rejection.find(": ") != std::string::npos;  // by an operator, or a ban
    EXPECT_EQ(one.rejection.starts_with(said), is_rejected) << one.what << ": " << one.rejection;
    refused += is_rejected;
  }
  EXPECT_GT(refused, 0);
  for (const Reversion& one : reversions(of_whole.space, winner, &beside))
    EXPECT_EQ(one.rejection.find("of a part"), std::string::npos)
        << one.what << ": " << one.rejection;
}

TEST(Reversions, EndAtTheDeadline) {
  SearchFixture fixture(uneven);
  const std::atomic<bool> stop = true;
  const auto all = reversions(fixture.space, known_of("csr-scalar"), nullptr, {{}, &stop});
  ASSERT_EQ(all.size(), design_of("csr-scalar").steps.size());
  for (const Reversion& one : all) {
    EXPECT_FALSE(one.reached);
    EXPECT_FALSE(one.design);
    EXPECT_EQ(one.rejection, "there was no time left");
  }
}

}  // namespace
}  // namespace alphasparse
