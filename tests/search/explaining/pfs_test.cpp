// pfs_test: the best named design of a matrix, and winners against it.
#include "search/explaining/pfs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "operators/named_designs.h"
#include "runtime/emulated/gpu_models.h"

namespace alphasparse {
namespace {

const char* const other_parameters =
    "compress | thread_cols lanes=8 | thread_total | warp_total | global_store | launch threads=64";
const char* const other_structure =
    "compress | thread_rows rows=1 | thread_total | global_store | compact | launch threads=256";

Measurement timed_as(const std::string& design, double time_us, std::int64_t bytes = 100) {
  Measurement outcome;
  outcome.design = design;
  outcome.verified = true;
  outcome.format_bytes = bytes;
  outcome.timing.emplace().time_us = time_us;
  return outcome;
}

std::string line(std::string_view name) { return resolve_design(std::string(name)); }

PfsPair pair_of(const std::string& winner, double best_us, double pfs_us) {
  PfsPair pair;
  pair.device.gpu = gpu_models().front().full_name;
  pair.best = timed_as(winner, best_us, 50);
  pair.pfs = timed_as(line("csr-scalar"), pfs_us);
  pair.pfs_name = "csr-scalar";
  return pair;
}

TEST(BestNamed, IsTheFastestOfTheNamedOnes) {
  Outcomes outcomes;
  for (const Measurement& outcome :
       {timed_as(line("csr-scalar"), 5), timed_as(line("csr-vector"), 4),
        timed_as(other_parameters, 3), timed_as(other_structure, 2)}) {
    outcomes[outcome.design] = outcome;
  }
  const auto [pfs, name] = best_named(outcomes);
  ASSERT_TRUE(pfs);
  EXPECT_EQ(name, "csr-vector");
  EXPECT_EQ(pfs, &outcomes.at(line("csr-vector")));
}

TEST(BestNamed, ADuplicateHasTheTimeOfItsKernel) {
  Outcomes outcomes;
  outcomes[line("csr-scalar")] = timed_as(line("csr-scalar"), 5);
  Measurement& twin = outcomes[line("csr-vector")] = timed_as(line("csr-vector"), 4);
  twin.status = Status::duplicate;
  EXPECT_EQ(best_named(outcomes).outcome, &twin);
}

TEST(BestNamed, NeedsATimeThatIsRight) {
  Outcomes outcomes;
  outcomes[other_structure] = timed_as(other_structure, 2);
  Measurement wrong = timed_as(line("csr-scalar"), 1);
  wrong.verified = false;
  outcomes[wrong.design] = wrong;
  Measurement untimed = timed_as(line("csr-vector"), 1);
  untimed.timing.reset();
  outcomes[untimed.design] = untimed;
  EXPECT_FALSE(best_named(outcomes).outcome);
  EXPECT_EQ(best_named(outcomes).name, "");
}

TEST(SummarisePfs, CountsWinnersAndWhatTheyAre) {
  std::vector<PfsPair> pairs = {pair_of(line("csr-scalar"), 20, 20),
                                pair_of(other_parameters, 20, 22), pair_of(other_structure, 10, 20),
                                pair_of(other_structure, 21, 20)};
  const auto rows = summarise_pfs(pairs);
  ASSERT_EQ(rows.size(), 1u);
  const PfsSummary& row = rows[0];
  EXPECT_EQ(row.kind, TimeKind::modelled);
  EXPECT_FALSE(row.near_floor);
  EXPECT_EQ(row.pairs, 4);
  EXPECT_NEAR(row.speedup, std::pow(1.1 * 2 / 1.05, 0.25), 1e-12);
  EXPECT_EQ(row.faster, 2);
  EXPECT_EQ(row.clearly_faster, 1);
  EXPECT_EQ(row.equal, 1);
  EXPECT_EQ(row.behind, 1);
  EXPECT_EQ(row.unnamed, 3);
  EXPECT_EQ(row.other_structures, 2);
  EXPECT_NEAR(row.bytes_ratio.value(), 0.5, 1e-12);
  EXPECT_FALSE(row.sectors_ratio) << "nobody counted them";
}

TEST(SummarisePfs, RatiosAreOfThoseThatHaveThem) {
  std::vector<PfsPair> pairs = {pair_of(other_structure, 10, 20), pair_of(other_structure, 10, 20)};
  pairs[0].best.timing->sectors = 30;
  pairs[0].pfs.timing->sectors = 40;
  pairs[1].best.format_bytes.reset();
  const auto rows = summarise_pfs(pairs);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_NEAR(rows[0].sectors_ratio.value(), 0.75, 1e-12);
  EXPECT_NEAR(rows[0].bytes_ratio.value(), 0.5, 1e-12);
}

TEST(SummarisePfs, KeepsMeasuredModelledAndWhatIsNearTheFloorApart) {
  std::vector<PfsPair> pairs(3, pair_of(other_structure, 10, 20));
  pairs[0].best.timing->time_us = gpu_models().front().launch_us;
  pairs[1].device.kind = TimeKind::measured;
  const auto rows = summarise_pfs(pairs);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].kind, TimeKind::measured);
  EXPECT_EQ(rows[1].kind, TimeKind::modelled);
  EXPECT_FALSE(rows[1].near_floor);
  EXPECT_TRUE(rows[2].near_floor);
  EXPECT_TRUE(summarise_pfs({}).empty());
}

}  // namespace
}  // namespace alphasparse
