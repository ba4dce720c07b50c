// mixed_designs_test: what the named designs have to offer beside themselves.
#include "search/ways/mixed_designs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "operators/catalogue.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "search/space/bans.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

using Names = std::vector<std::string>;

const char* const csr_scalar =
    "compress | thread_rows rows=1 | thread_total | global_store | launch threads=256";
const char* const block_a_row =
    "compress | block_rows rows=1 | thread_cols width=1 | thread_total | warp_total | "
    "shared_total | global_store | launch threads=256";

std::string binned(const std::string& launch) {
  return "bin_rows at=9 { compress | thread_rows rows=1 | thread_total | global_store | " + launch +
         " } { compress | block_rows rows=1 | thread_cols width=1 | thread_total | warp_total | "
         "shared_total | global_store | " +
         launch + " }";
}

RowFacts rows_up_to(std::int32_t longest) {
  RowFacts rows;
  rows.length_max = longest;
  return rows;
}

bool has(const Names& designs, const std::string& design) {
  return std::find(designs.begin(), designs.end(), design) != designs.end();
}

TEST(MixedDesigns, BranchesComeInOneLaunchAndAlone) {
  const Names mixed = mixed_designs({binned("launch threads=256"), csr_scalar}, rows_up_to(10));
  EXPECT_TRUE(has(mixed, binned("launch threads=256 fused=yes")));
  EXPECT_TRUE(has(mixed, block_a_row));
  EXPECT_FALSE(has(mixed, csr_scalar)) << "it is one of the named";
}

TEST(MixedDesigns, LongRowsAreSetApartWhereThereAreAny) {
  for (const std::int32_t longest : {64, 65, 512, 513}) {
    const Names mixed = mixed_designs({csr_scalar}, rows_up_to(longest));
    const auto cut_at = [&](const std::string& start) {
      return std::count_if(mixed.begin(), mixed.end(),
                           [&](const std::string& design) { return design.starts_with(start); });
    };
    EXPECT_EQ(cut_at("bin_rows at=65 { sort_rows_in_bands"), longest > 64 ? 1 : 0) << longest;
    EXPECT_EQ(cut_at("bin_rows at=513 { compress | block_rows"), longest > 512 ? 2 : 0) << longest;
  }
}

TEST(MixedDesigns, BlocksGrowWithTheLongestRow) {
  const auto threads_for = [](std::int32_t longest) {
    const Names mixed = mixed_designs({csr_scalar}, rows_up_to(longest));
    const std::string& apart = mixed.front();  // of blocks of 256 threads
    return apart.substr(apart.rfind("| launch"));
  };
  EXPECT_EQ(threads_for(8192), "| launch threads=256 fused=yes }");
  EXPECT_EQ(threads_for(8193), "| launch threads=512 fused=yes }");
  EXPECT_EQ(threads_for(1'000'000), "| launch threads=1024 fused=yes }");
}

TEST(MixedDesigns, EachIsCanonicalAndBuildsAndIsNoNamedStructure) {
  const Matrix matrix = battery_matrix("power_law");
  Designer designer(matrix);
  const Names named = named_lines();
  std::set<std::string> structures;
  for (const std::string& design : named) structures.insert(structure_of(design));
  const Names mixed = mixed_designs(named, rows_up_to(100'000));
  EXPECT_GE(mixed.size(), 8U);
  for (const std::string& design : mixed) {
    const Result<Design> parsed = parse_design(design);
    ASSERT_TRUE(parsed.ok()) << design;
    const Result<Design> canonical = canonical_design(*parsed);
    ASSERT_TRUE(canonical.ok()) << canonical.reason();
    EXPECT_EQ(print_design(*canonical), design);
    const bool in_one_launch = design.find("fused=yes") != std::string::npos;
    EXPECT_TRUE(in_one_launch || !structures.contains(structure_of(design))) << design;
    const auto stores = designer.branches(*parsed);
    // A design for long rows has no use for a matrix without them, nor a peel that takes all.
    if (!stores.ok()) continue;
    const Result<Kernel> kernel = designer.build(design, Dtype::f32);
    EXPECT_TRUE(kernel.ok() || in_one_launch) << design << ": " << kernel.reason();
  }
}

}  // namespace
}  // namespace alphasparse
