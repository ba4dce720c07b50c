// mixed_designs_test: the designs that mixing the named designs gives.
#include "search/strategies/mixed_designs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "operators/catalogue.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/device/device.h"
#include "search/estimates/prior.h"
#include "tests/support/battery.h"
#include "tests/support/outcomes.h"

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

/// The mixed designs beside the named ones of these lines, for rows of at most so many entries.
Names mixed_texts(const Names& named, std::int32_t longest, Target target = Target::gpu) {
  return list_texts(mixed_designs(made_up_designs(named), rows_up_to(longest), target));
}

bool has(const Names& designs, const std::string& design) {
  return std::find(designs.begin(), designs.end(), design) != designs.end();
}

TEST(MixedDesigns, BranchesComeInOneLaunchAndAlone) {
  const Names mixed = mixed_texts({binned("launch threads=256"), csr_scalar}, 10);
  EXPECT_TRUE(has(mixed, binned("launch threads=256 fused=yes")));
  EXPECT_TRUE(has(mixed, block_a_row));
  EXPECT_FALSE(has(mixed, csr_scalar)) << "it is one of the named";
}

TEST(MixedDesigns, LongRowsAreSetApartWhereThereAreAny) {
  for (const std::int32_t longest : {64, 65, 512, 513}) {
    const Names mixed = mixed_texts({csr_scalar}, longest);
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
    const Names mixed = mixed_texts({csr_scalar}, longest);
    const std::string& apart = mixed.front();  // of blocks of 256 threads
    return apart.substr(apart.rfind("| launch"));
  };
  EXPECT_EQ(threads_for(8192), "| launch threads=256 fused=yes }");
  EXPECT_EQ(threads_for(8193), "| launch threads=512 fused=yes }");
  EXPECT_EQ(threads_for(1'000'000), "| launch threads=1024 fused=yes }");
}

/// Two rows and two columns are full, as of constraints that bind all unknowns.
Matrix arrow(std::int32_t size) {
  Matrix matrix;
  matrix.rows = matrix.cols = size;
  matrix.row_first = {0};
  for (std::int32_t row = 0; row < size; ++row) {
    for (std::int32_t col = 0; col < (row < 2 ? size : 2); ++col) matrix.col.push_back(col);
    if (row >= 2) matrix.col.push_back(row);
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  matrix.value.assign(matrix.col.size(), 1);
  return matrix;
}

TEST(MixedDesigns, RowsTooLongForABlockAreCutIntoTiles) {
  const auto tiled = [](std::int32_t longest) {
    Designs found;
    for (const CanonicalDesign& design : mixed_designs({}, rows_up_to(longest))) {
      const std::string& text = design.text();
      if (text.starts_with("bin_rows at=65") && text.find("warp_segment") != std::string::npos)
        found.push_back(design);
    }
    return found;
  };
  EXPECT_TRUE(tiled(32'768).empty());
  const Designs found = tiled(32'769);
  ASSERT_EQ(found.size(), 1u);
  const Matrix matrix = arrow(40'000);
  Designer designer(matrix);
  const auto built = designer.build_whole(found.front(), Dtype::f32);
  ASSERT_TRUE(built.ok()) << built.reason();
}

TEST(MixedDesigns, LanesOfWideLoadsFollowTheMeanRow) {
  const auto lanes_for = [](double mean) {
    RowFacts rows;
    rows.length_mean = mean;
    const std::string line = wide_lanes(rows).text();
    EXPECT_TRUE(
        line.ends_with(" | thread_pad multiple=4 | thread_total vector=4 | warp_total | "
                       "global_store | launch threads=256"));
    return line.substr(0, line.find(" | thread_pad"));
  };
  EXPECT_EQ(lanes_for(0), "compress | thread_cols lanes=2");
  EXPECT_EQ(lanes_for(16), "compress | thread_cols lanes=4");
  EXPECT_EQ(lanes_for(17), "compress | thread_cols lanes=8");
  EXPECT_EQ(lanes_for(1000), "compress | thread_cols lanes=32");
}

TEST(MixedDesigns, ACpuHasGangsOfAllSizesAndOrdersAndNothingOfAGpu) {
  const Matrix matrix = battery_matrix("power_law");
  Designer designer(matrix, Target::cpu);
  const Names named = named_lines(Target::cpu);
  const Names mixed = mixed_texts(named, 100'000, Target::cpu);
  EXPECT_EQ(std::set<std::string>(mixed.begin(), mixed.end()).size(), mixed.size());
  for (const std::string& design : mixed) {
    EXPECT_FALSE(has(named, design)) << design;
    EXPECT_EQ(print_design(*canonical_design(*parse_design(design))), design);
    const bool is_whole = design.starts_with("sort_rows") && design.find("compress") != design.npos;
    if (!is_whole) continue;  // a chain of a branch may need its entries
    const Result<Kernel> kernel = designer.build(design, Dtype::f64);
    EXPECT_TRUE(kernel.ok()) << design << ": " << kernel.reason();
  }
  const auto by_hardware = [](const std::string& design) {
    return design.find("gather=hardware") != std::string::npos;
  };
  EXPECT_TRUE(std::any_of(mixed.begin(), mixed.end(), by_hardware));
  const auto first = [&](const std::string& sorted, int rows, bool narrow) {
    const std::string gang = "warp_rows rows=" + std::to_string(rows) + " ";
    return std::find_if(mixed.begin(), mixed.end(), [&](const std::string& design) {
             return !by_hardware(design) && design.starts_with(sorted) &&
                    design.find(gang) != std::string::npos &&
                    (design.find("columns=narrow") != std::string::npos) == narrow;
           }) != mixed.end();
  };
  for (const int rows : {8, 16, 32, 64}) {
    for (const char* const sorted :
         {"sort_rows |", "sort_rows_in_bands rows=1024 |", "sort_rows_in_bands rows=256 |"}) {
      const bool is_named = rows == 32 && std::string(sorted).find("1024") != std::string::npos;
      EXPECT_EQ(first(sorted, rows, false), !is_named) << sorted << rows;
      EXPECT_TRUE(first(sorted, rows, true)) << sorted << rows;
    }
  }
  EXPECT_TRUE(has(mixed,
                  "compress | thread_cols lanes=16 | thread_total | warp_total | "
                  "global_store | launch tasks=bytes"));
}

TEST(MixedDesigns, WarpsByTheirDiagonalsAreThereForBothTargets) {
  const std::string line =
      " | thread_rows rows=1 | warp_diagonals | interleave | thread_total | global_store | launch ";
  EXPECT_TRUE(
      has(mixed_texts({csr_scalar}, 9), "compress | warp_rows rows=32" + line + "threads=256"));
  EXPECT_TRUE(
      has(mixed_texts({}, 9, Target::cpu), "compress | warp_rows rows=16" + line + "tasks=bytes"));
}

/// Diagonals store no column. Slices do, unless an expression stands for them.
TEST(MixedDesigns, PackedSlicesAreExpectedNextToDiagonalsOnATridiagonalMatrix) {
  Matrix matrix;
  matrix.rows = matrix.cols = 1'500'000;
  matrix.row_first = {0};
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t col = std::max(row - 1, 0); col < std::min(row + 2, matrix.cols); ++col)
      matrix.col.push_back(col);
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  matrix.value.assign(matrix.col.size(), 1);
  const auto is_packed = [](const CanonicalDesign& design) {
    return design.structure().starts_with("compress | warp_rows | thread_rows | thread_pad") &&
           design.structure().find("compact") != std::string::npos;
  };
  const Designs named = canonical_named_designs(Target::gpu);
  Designs designs = mixed_designs(named, row_facts(matrix.row_first));
  designs.insert(designs.end(), named.begin(), named.end());
  double packed_us = HUGE_VAL;
  std::vector<double> others_us;
  const DeviceInfo h200 = open_device("emulated:h200")->info();
  for (const auto& [design, us] : expected_times(matrix, designs, {h200, Dtype::f32}, {}))
    is_packed(design) ? void(packed_us = us) : others_us.push_back(us);
  std::sort(others_us.begin(), others_us.end());
  EXPECT_LT(packed_us, 1.05 * others_us.at(0)) << "diagonals";
  EXPECT_LT(packed_us, 0.8 * others_us.at(1));
}

TEST(MixedDesigns, EachIsCanonicalAndBuildsAndIsNoNamedStructure) {
  const Matrix matrix = battery_matrix("power_law");
  Designer designer(matrix);
  const Names named = named_lines();
  std::set<std::string> structures;
  for (const std::string& design : named) structures.insert(made_up(design).structure());
  const Names mixed = mixed_texts(named, 100'000);
  EXPECT_GE(mixed.size(), 8U);
  for (const std::string& design : mixed) {
    const Result<Design> parsed = parse_design(design);
    ASSERT_TRUE(parsed.ok()) << design;
    const Result<Design> canonical = canonical_design(*parsed);
    ASSERT_TRUE(canonical.ok()) << canonical.reason();
    EXPECT_EQ(print_design(*canonical), design);
    const bool in_one_launch = design.find("fused=yes") != std::string::npos;
    EXPECT_TRUE(in_one_launch || !structures.contains(made_up(design).structure())) << design;
    const auto stores = designer.branches(*parsed);
    // A design for long rows has no use for a matrix without them, nor a peel that takes all.
    if (!stores.ok()) continue;
    const Result<Kernel> kernel = designer.build(design, Dtype::f32);
    EXPECT_TRUE(kernel.ok() || in_one_launch) << design << ": " << kernel.reason();
  }
}

}  // namespace
}  // namespace alphasparse
