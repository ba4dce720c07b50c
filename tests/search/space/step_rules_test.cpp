// bans: every rule of the matrix, where it hits and where it does not.
#include <gtest/gtest.h>

#include <set>

#include "operators/catalogue.h"
#include "operators/targets.h"
#include "search/space/prune_rules.h"
#include "search/structure/growth.h"
#include "tests/support/battery.h"
#include "tests/support/search_fixture.h"

namespace alphasparse {
namespace {

/// 4097 rows of one non-zero but for the second, which has `longest`.
Matrix giant_row(int longest) {
  std::vector<std::vector<std::pair<int, double>>> rows(4097);
  for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = {{static_cast<int>(row), 1.0}};
  rows[1].clear();
  for (int col = 0; col < longest; ++col) rows[1].emplace_back(col, 1.0);
  return from_rows(5000, rows);
}

/// Scattered, so that hardly any diagonal has all of its entries but those in the corners.
Matrix scattered() {
  std::vector<std::vector<std::pair<int, double>>> rows(200);
  for (int row = 0; row < 200; ++row) rows[row] = {{row * 37 % 200, 1.0}, {row * 91 % 200, 2.0}};
  rows[0] = {{0, 1.0}, {199, 1.0}};
  rows[100] = {{1, 1.0}};
  return from_rows(200, rows);
}

Matrix matrix_of(const std::string& name) {
  if (name == "scattered") return scattered();
  if (name == "giant_4096") return giant_row(4096);
  if (name == "giant_4095") return giant_row(4095);
  if (name == "giant_30") return giant_row(30);
  if (name == "wide_4096") return from_rows(4096, {{{0, 1.0}, {4000, 2.0}}, {{5, 1.0}}});
  if (name == "wide_4097") return from_rows(4097, {{{0, 1.0}, {4000, 2.0}}, {{5, 1.0}}});
  return battery_matrix(name);
}

const std::string by_rows =
    "compress | thread_rows rows=1 | thread_total | global_store | launch threads=64";
const std::string by_lanes = "thread_total | warp_total | global_store | launch threads=64";
const std::string branch = " { " + by_rows + " }";
const std::string on_cpu = "thread_total | global_store | launch tasks=bytes";
const std::string gang = "thread_rows rows=1 | thread_pad | interleave | " + on_cpu;
const std::string by_rows_on_cpu =
    "compress | thread_rows rows=1 | thread_total | global_store | launch tasks=";
const std::string packed_on_cpu =
    "compress | thread_rows rows=1 | thread_total | global_store | compact ";
const std::string adding =
    " { compress | thread_rows rows=1 | thread_total | global_add | launch threads=64 }";

struct Row {
  const char* rule;  ///< of step_rules()
  const char* matrix;
  std::string design;
  std::string reason;  ///< empty: it is a miss
};

std::vector<Row> rows() {
  return {
      {"sorting_equal_rows", "diagonal_100", "sort_rows | " + by_rows,
       "sort_rows: all rows have 1 non-zeros: there is nothing to sort"},
      {"sorting_equal_rows", "diagonal_100", "sort_rows_in_bands rows=256 | " + by_rows,
       "sort_rows_in_bands: all rows have 1 non-zeros: there is nothing to sort"},
      {"sorting_equal_rows", "stencil_23", "sort_rows | " + by_rows, ""},
      {"sorting_sorted_rows", "stencil_23", "sort_rows | sort_rows_in_bands rows=256 | " + by_rows,
       "sort_rows_in_bands: the rows are sorted already"},
      {"sorting_sorted_rows", "stencil_23", "sort_rows_in_bands rows=256 | sort_rows | " + by_rows,
       ""},
      {"sorting_sorted_rows", "stencil_23",
       "sort_rows | reorder by=columns | sort_rows_in_bands rows=256 | " + by_rows, ""},
      {"empty_branch", "stencil_23", "bin_rows at=9" + branch + branch,
       "bin_rows: branch 2 would get no rows"},
      {"empty_branch", "stencil_23", "ell_peel width=5" + branch + adding,
       "ell_peel: branch 2 would get no rows"},
      {"empty_branch", "stencil_23", "bin_rows at=5" + branch + branch, ""},
      {"empty_branch", "runs_of_empty_rows", "bin_rows at=1" + branch + branch, ""},
      {"empty_branch", "wide_4097", "col_split parts=4 by=cols" + branch + adding + adding + adding,
       "col_split: branch 2 would get no rows"},
      {"thin_peel", "power_law", "dense_block_peel rows=8 cols=8 share=100" + branch + adding,
       "dense_block_peel: branch 1 would get no non-zeros"},
      {"thin_peel", "scattered", "diagonal_peel share=80" + branch + adding,
       "diagonal_peel: its regular part has 1 of 399 non-zeros"},
      {"thin_peel", "stencil_23", "diagonal_peel share=50" + branch + adding,
       "diagonal_peel: branch 2 would get no rows"},
      {"thin_peel", "symmetric_97", "diagonal_peel share=50" + branch + adding, ""},
      {"giant_row", "giant_4096", by_rows,
       "thread_rows: one thread would add the 4096 non-zeros of the longest row, where rows have "
       "2.0 on average"},
      {"giant_row", "giant_4095", by_rows, ""},
      {"pads_too_large", "giant_4095",
       "compress | thread_rows rows=1 | thread_pad | thread_total | global_store | launch "
       "threads=64",
       "thread_pad: 4097 threads would be padded to 4095 non-zeros, 2048 times the matrix"},
      {"pads_too_large", "giant_4095",
       "compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | warp_pad | thread_total | "
       "global_store | launch threads=64",
       "warp_pad: 4097 threads would be padded to 4095 non-zeros, 2048 times the matrix"},
      {"pads_too_large", "giant_30",
       "compress | thread_rows rows=1 | thread_pad | thread_total | global_store | launch "
       "threads=64",
       ""},
      {"idle_lanes", "stencil_23", "compress | thread_cols lanes=16 | " + by_lanes,
       "thread_cols: 16 lanes would share rows of at most 5 non-zeros"},
      {"idle_lanes", "stencil_23", "compress | thread_cols lanes=8 | " + by_lanes, ""},
      {"idle_lanes", "stencil_23",
       "compress | warp_cols width=64 | thread_cols lanes=32 | thread_total | warp_total | "
       "global_atomic | launch threads=64",
       ""},
      {"block_for_a_short_row", "dense_33x31",
       "compress | block_rows rows=1 | thread_cols width=4 | thread_total | shared_total | "
       "global_store | launch threads=64",
       "block_rows: a block would have one row of at most 31 non-zeros"},
      {"block_for_a_short_row", "power_law",
       "compress | block_rows rows=1 | thread_cols width=4 | thread_total | shared_total | "
       "global_store | launch threads=64",
       ""},
      {"columns_of_a_small_x", "wide_4096", "col_split parts=2 by=cols" + branch + adding,
       "col_split: all 4096 elements of x fit the nearest cache"},
      {"columns_of_a_small_x", "wide_4097", "col_split parts=2 by=cols" + branch + adding, ""},
      {"own_order", "stencil_23", "permute by=rcm | " + by_rows,
       "permute: it gives x and y an order of its own, which only --vectors-order own allows"},
      {"own_order", "stencil_23", "reorder by=rcm | " + by_rows, ""},
      {"columns_of_few_vectors", "stencil_23", by_rows + " columns=4",
       "launch: columns= takes all of 1 at once; leave it out"},
      {"columns_of_few_vectors", "stencil_23", by_rows, ""},
      {"rounding", "stencil_23",
       "compress | thread_rows rows=1 | thread_total | global_store | compact values=rounded | "
       "launch threads=64",
       "compact: it rounds values, which only --values-precision f32 allows"},
      {"rounding", "stencil_23",
       "compress | thread_rows rows=1 | thread_total | global_store | compact values=single | "
       "launch threads=64",
       ""},
      {"pads_too_large", "giant_30", "compress | " + gang,
       "thread_pad: 4097 threads would be padded to 30 non-zeros, 30 times the matrix"},
      {"pads_too_large", "stencil_23", "compress | " + gang, ""},
      {"gang_of_few_rows", "stencil_23", "compress | warp_rows rows=2 | " + gang,
       "thread_rows: gangs would have 2 rows, which leaves registers empty"},
      {"gang_of_few_rows", "stencil_23", "compress | warp_rows rows=4 | " + gang, ""},
      {"entry_by_entry", "stencil_23",
       "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch tasks=bytes",
       "thread_nnz: each entry would be added to y by itself"},
      {"entry_by_entry", "stencil_23",
       "compress | warp_nnz nnz=32 | thread_nnz nnz=1 | interleave | thread_total | warp_bitmap | "
       "global_atomic | launch tasks=bytes",
       ""},
      {"unpacked_in_cache", "stencil_23", packed_on_cpu + "values=full | launch tasks=bytes",
       "compact: columns=fewest takes longer to unpack than to load; use columns=narrow"},
      {"unpacked_in_cache", "stencil_23", packed_on_cpu + "columns=narrow | launch tasks=bytes",
       "compact: values=coded takes longer to look up than to load; use values=full"},
      {"unpacked_in_cache", "stencil_23",
       packed_on_cpu + "columns=narrow values=full | launch tasks=bytes", ""},
      {"one_task", "stencil_23", by_rows_on_cpu + "one",
       "launch: there is one thread; use tasks=bytes"},
      {"one_task", "stencil_23", by_rows_on_cpu + "bytes", ""},
      {"unpacked_in_cache", "stencil_23", packed_on_cpu + "values=full | launch threads=64", ""},
  };
}

std::string reason_of(const SearchSpace& space, const std::string& text) {
  return prune_reason(space, *parse_design(text)).value_or("");
}

TEST(StepRules, HitAndMiss) {
  for (const Row& row : rows()) {
    const Matrix matrix = matrix_of(row.matrix);
    SearchFixture fixture(matrix, *find_target(*parse_design(row.design)));
    const auto stores = fixture.designer.branches(*parse_design(row.design));
    EXPECT_TRUE(stores.ok()) << "bans are for what is legal: " << row.design << ": "
                             << (stores.ok() ? "" : stores.reason());
    EXPECT_EQ(reason_of(fixture.space, row.design), row.reason)
        << row.rule << " on " << row.matrix << ": " << row.design;
  }
}

TEST(StepRules, ThatFollowFromOptions) {
  const Matrix matrix = battery_matrix("symmetric_97");
  SearchFixture fixture(matrix);
  const std::string half =
      "symmetric_half | compress | thread_rows rows=1 | thread_total | global_atomic | launch "
      "threads=64";
  const std::string coded =
      "compress | thread_rows rows=1 | thread_total | global_store | compact | launch threads=64";
  const std::string full =
      "compress | thread_rows rows=1 | thread_total | global_store | compact values=full | launch "
      "threads=64";
  for (const std::string& design : {half, coded, full})
    EXPECT_EQ(reason_of(fixture.space, design), "");
  fixture.space.limits.values_vary = true;
  EXPECT_EQ(reason_of(fixture.space, half),
            "symmetric_half: other values need not be symmetric, and --values varying allows any");
  EXPECT_EQ(reason_of(fixture.space, coded),
            "compact: other values need not fit its codes, and --values varying allows any");
  EXPECT_EQ(reason_of(fixture.space, full), "");
  fixture.space.limits.may_round = true;
  fixture.space.limits.values_vary = false;
  EXPECT_EQ(reason_of(fixture.space,
                      "compress | thread_rows rows=1 | thread_total | global_store | compact "
                      "values=rounded | launch threads=64"),
            "");
}

TEST(StepRules, OneThreadOfATeamHasNoMoreThanItDoesWhileOthersBegin) {
  for (const std::int32_t rows : {50'000, 50'001}) {
    std::vector<std::vector<std::pair<std::int32_t, double>>> diagonal(rows);
    for (std::int32_t row = 0; row < rows; ++row) diagonal[row] = {{row, 1.0}};
    const Matrix matrix = from_rows(rows, diagonal);
    SearchFixture fixture(matrix, Target::cpu);
    fixture.space.limits.is_team = true;
    EXPECT_EQ(reason_of(fixture.space, by_rows_on_cpu + "one"),
              rows == 50'000 ? "" : "launch: one thread would have all 50001 non-zeros");
    EXPECT_EQ(reason_of(fixture.space, by_rows_on_cpu + "bytes"), "");
  }
}

TEST(StepRules, EveryRuleHasARow) {
  std::set<std::string_view> hit = {"values_that_vary"}, missed = {"values_that_vary"};
  for (const Row& row : rows()) (row.reason.empty() ? missed : hit).insert(row.rule);
  for (const StepRule& rule : step_rules()) {
    EXPECT_TRUE(hit.contains(rule.name)) << rule.name;
    EXPECT_TRUE(missed.contains(rule.name)) << rule.name;
  }
}

TEST(StepRules, ABannedStepOfABranchIsFound) {
  const Matrix matrix = matrix_of("giant_4096");
  SearchFixture fixture(matrix);
  EXPECT_EQ(reason_of(fixture.space, "bin_rows at=33" + branch + branch), "")
      << "a branch of one row has that row's length on average";
  EXPECT_EQ(reason_of(fixture.space, "row_split parts=2 by=rows" + branch + branch),
            "thread_rows: one thread would add the 4096 non-zeros of the longest row, where rows "
            "have 3.0 on average");
}

TEST(StepRules, GrowthKeepsThem) {
  const Matrix matrix = matrix_of("giant_4096");
  for (const Target target : {Target::gpu, Target::cpu}) {
    SearchFixture fixture(matrix, target);
    for (int seed = 0; seed < 50; ++seed) {
      Random random(seed);
      const auto design = grow(fixture.space, random);
      ASSERT_TRUE(design);
      EXPECT_EQ(prune_reason(fixture.space, design->tree()), std::nullopt) << *design;
    }
  }
}

TEST(StepRules, WhatGrowsForATargetIsForItAlone) {
  const Matrix matrix = battery_matrix("power_law");
  for (const Target target : {Target::gpu, Target::cpu}) {
    SearchFixture fixture(matrix, target);
    for (int seed = 0; seed < 60; ++seed) {
      Random random(seed);
      const auto design = grow(fixture.space, random);
      ASSERT_TRUE(design);
      EXPECT_EQ(find_target(design->tree()), target) << *design;
      EXPECT_EQ(fixture.problem_of(*design), "") << *design;
    }
  }
}

}  // namespace
}  // namespace alphasparse
