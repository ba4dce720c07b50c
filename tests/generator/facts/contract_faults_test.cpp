// contract_faults: each invariant of stores, broken once, is the fault that the checker names.
#include <gtest/gtest.h>

#include <functional>

#include "generator/facts/contract.h"
#include "tests/support/battery.h"
#include "tests/support/design_steps.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

using Entries = std::vector<std::int32_t>;

const char* const rows = "compress | warp_rows rows=2 | thread_rows rows=1";
const char* const cols = "compress | thread_cols width=2";
const char* const nnz = "compress | thread_nnz nnz=4";
const char* const path = "compress | thread_merge_path items=4";

struct ArrayCase {
  const char* design;
  Key key;
  Entries broken;
  const char* violation;
};

// In `rows`: warp.first_row 0 2 4, warp.first_nz 0 2 6, warp.first_child 0 2 4, thread.first_row
// 0 1 2 3 4, thread.first_nz 0 2 2 3 6. In `cols`: thread.first_nz 0 2 3 5 6, thread.first_row
// 0 2 3 3. In `nnz`: thread.first_nz 0 4 6, thread.first_row 0 3. In `path`: thread.first_nz 0 2 5
// 6, thread.first_row 0 2 3 4.
const std::vector<ArrayCase> array_cases = {
    {"compress",
     {Level::matrix, Name::row_first_nz},
     {0, 2, 2, 6},
     "matrix.row_first_nz has 4 entries, not 5 (rows + 1)"},
    {"compress",
     {Level::matrix, Name::row_first_nz},
     {1, 2, 2, 3, 6},
     "matrix.row_first_nz[0] is 1, not 0"},
    {"compress",
     {Level::matrix, Name::row_first_nz},
     {0, 2, 1, 3, 6},
     "matrix.row_first_nz[2] is 1, less than the 2 before it"},
    {"compress",
     {Level::matrix, Name::row_first_nz},
     {0, 2, 2, 3, 5},
     "matrix.row_first_nz[4] is 5, not 6, the end"},
    {"compress",
     {Level::matrix, Name::row_first_nz},
     {0, 1, 2, 3, 6},
     "matrix: length_min is 0, a recount gives 1"},
    {"compress",
     {Level::matrix, Name::row_first_nz},
     {0, 0, 1, 2, 6},
     "matrix: length_max is 3, a recount gives 4"},
    {"compress",
     {Level::matrix, Name::row_first_nz},
     {0, 3, 3, 3, 6},
     "matrix: empty_rows is 1, a recount gives 2"},
    {"compress",
     {Level::matrix, Name::row_origin},
     {0, 1, 2},
     "matrix.row_origin has 3 entries, not 4 (rows)"},
    {"compress",
     {Level::matrix, Name::row_origin},
     {0, 1, 2, 4},
     "matrix.row_origin[3] is 4, not in [0, 4)"},
    {"compress",
     {Level::matrix, Name::row_origin},
     {0, 1, 2, 1},
     "matrix.row_origin[3] is 1, as an entry before it"},
    {"compress",
     {Level::matrix, Name::row_origin},
     {0, 1, 3, 2},
     "matrix.row_origin[2] is 3, but the store says that no row has moved"},
    {"reorder by=rcm x=gathered",
     {Level::matrix, Name::col_origin},
     {0, 2, 1},
     "matrix.col_origin has 3 entries, not 4 (cols)"},
    {"reorder by=rcm x=gathered",
     {Level::matrix, Name::col_origin},
     {0, 2, 1, 2},
     "matrix.col_origin[3] is 2, as an entry before it"},
    {"compress",
     {Level::matrix, Name::nz_col},
     {1, 3, 2, 0, 1},
     "matrix.nz_col has 5 entries, not 6 (nnz)"},
    {"compress",
     {Level::matrix, Name::nz_col},
     {1, 3, 2, 0, 4, 3},
     "matrix.nz_col[4] is 4, not in [0, 4)"},
    {"compress",
     {Level::matrix, Name::value_source},
     {0, 1, 2, 3, 4, 5, 6},
     "matrix.value_source has 7 entries, not 6 (nnz)"},
    {"compress",
     {Level::matrix, Name::value_source},
     {0, 1, 2, -1, 4, 5},
     "matrix.value_source[3] is -1, not in [0, 6)"},
    {"compress",
     {Level::matrix, Name::value_source},
     {0, 1, 1, 3, 4, 5},
     "matrix.value_source[2] is 1, as an entry before it"},
    {"compress",
     {Level::block, Name::first_nz},
     {0, 6},
     "block.first_nz is there, but no block level is open"},

    {rows, {Level::warp, Name::first_nz}, {0, 6}, "warp.first_nz has 2 entries, not 3 (units + 1)"},
    {rows, {Level::warp, Name::first_nz}, {0, 2, 5}, "warp.first_nz[2] is 5, not 6, the end"},
    {rows,
     {Level::warp, Name::first_nz},
     {0, 7, 6},
     "warp.first_nz[2] is 6, less than the 7 before it"},
    {rows,
     {Level::warp, Name::first_nz},
     {0, 3, 6},
     "warp.first_nz[1] is 3, not 2, where its first row 2 begins"},
    {rows,
     {Level::warp, Name::first_row},
     {0, 2},
     "warp.first_row has 2 entries, not 3 (units + 1)"},
    {rows, {Level::warp, Name::first_row}, {0, 2, 3}, "warp.first_row[2] is 3, not 4, the end"},
    {rows,
     {Level::matrix, Name::first_child},
     {0, 1, 2},
     "matrix.first_child has 3 entries, not 2 (units + 1)"},
    {rows,
     {Level::matrix, Name::first_child},
     {0, 1},
     "matrix.first_child[1] is 1, not 2, the end"},
    {rows,
     {Level::warp, Name::first_child},
     {0, 3, 2},
     "warp.first_child[2] is 2, less than the 3 before it"},
    {rows,
     {Level::warp, Name::first_child},
     {0, 3, 4},
     "thread.first_nz[3] is 3, not 2, where warp 1 begins"},
    {rows,
     {Level::warp, Name::first_child},
     {0, 1, 4},
     "thread.first_row[1] is 1, not 2, where warp 1 begins"},
    {rows,
     {Level::thread, Name::first_nz},
     {0, 2, 2, 4, 6},
     "thread.first_nz[3] is 4, not 3, where its first row 3 begins"},

    {cols,
     {Level::thread, Name::first_row},
     {0, 2, 3},
     "thread.first_row has 3 entries, not 4 (units)"},
    {cols,
     {Level::thread, Name::first_row},
     {0, 2, 3, 4},
     "thread.first_row[3] is 4, not in [0, 4)"},
    {cols,
     {Level::thread, Name::first_row},
     {0, 1, 3, 3},
     "thread.first_row[1] is 1, which is not the row of non-zero 2"},
    {cols,
     {Level::thread, Name::first_nz},
     {0, 2, 2, 5, 6},
     "thread.first_nz[1] is 2: an empty unit"},
    {cols,
     {Level::thread, Name::first_nz},
     {0, 3, 4, 5, 6},
     "thread.first_nz[1] is 3, beyond the row 0 of its unit"},

    {nnz,
     {Level::thread, Name::first_nz},
     {0, 3, 6},
     "thread.first_nz[1] is 3: a unit of 3 non-zeros, not 4"},
    {nnz,
     {Level::thread, Name::first_nz},
     {0, 5, 6},
     "thread.first_nz[1] is 5: a unit of 5 non-zeros, not 4"},
    {path,
     {Level::thread, Name::first_row},
     {0, 3, 3, 4},
     "(3, 2) of thread 1 is not on the merge path"},
    {path,
     {Level::thread, Name::first_row},
     {0, 2, 3, 3},
     "thread.first_row[3] is 3, not 4, the end"},
    {path,
     {Level::thread, Name::first_row},
     {0, 1, 3, 4},
     "thread.first_nz[1] is 2: a unit of 3 items, not 4"},
    {nnz,
     {Level::thread, Name::first_row},
     {0, 2},
     "thread.first_row[1] is 2, which is not the row of non-zero 4"},
};

TEST(ContractFaults, EachBrokenArrayIsNamed) {
  for (const ArrayCase& entry : array_cases) {
    Store store = *apply_steps(uneven, entry.design);
    ASSERT_EQ(check_store(store), "");
    store.set(entry.key, entry.broken);
    EXPECT_EQ(check_store(store), entry.violation);
  }
}

TEST(ContractFaults, VarianceIsRecounted) {
  const auto lengths = [](const std::vector<int>& of_rows) {
    std::vector<std::vector<std::pair<int, double>>> entries;
    for (const int length : of_rows) {
      entries.emplace_back();
      for (int col = 0; col < length; ++col) entries.back().emplace_back(col, 1.);
    }
    return from_rows(4, entries);
  };
  Store store(lengths({0, 1, 1, 4, 4}));
  store.set({Level::matrix, Name::row_first_nz}, lengths({0, 2, 2, 2, 4}).row_first);
  EXPECT_EQ(check_store(store), "matrix: length_variance is 2.8, a recount gives 1.6");
}

struct FactCase {
  const char* design;
  std::function<void(LevelFacts&)> edit;  ///< of the innermost level
  const char* violation;
};

const std::vector<FactCase> fact_cases = {
    {rows, [](LevelFacts& facts) { facts.parts = 3; },
     "thread.first_nz has 5 entries, not 4 (units + 1)"},
    {rows, [](LevelFacts& facts) { facts.nz_max = 2; }, "thread: nz_max is 2, a recount gives 3"},
    {rows, [](LevelFacts& facts) { facts.nz_min = 1; }, "thread: nz_min is 1, a recount gives 0"},
    {rows, [](LevelFacts& facts) { facts.rows_max = 2; },
     "thread: rows_max is 2, a recount gives 1"},
    {rows, [](LevelFacts& facts) { facts.children_max = 4; },
     "thread: children_max is 4, a recount gives 2"},
    {rows, [](LevelFacts& facts) { facts.descending = true; },
     "thread: descending is 1, a recount gives 0"},
    {rows, [](LevelFacts& facts) { facts.part_size = 1; }, "thread: items is 1, a recount gives 0"},
    {rows, [](LevelFacts& facts) { facts.lanes = 2; }, "thread: lanes is 2, a recount gives 0"},
    {rows, [](LevelFacts& facts) { facts.parent = Level::block; },
     "thread: its parent is said to be block, not warp"},
    {"compress | block_rows rows=2", [](LevelFacts& facts) { facts.level = Level::warp; },
     "block.first_nz is there, but no block level is open"},
    {nnz, [](LevelFacts& facts) { facts.part_size = 5; },
     "thread.first_nz[1] is 4: a unit of 4 non-zeros, not 5"},
    {"compress | thread_cols lanes=2", [](LevelFacts& facts) { facts.lanes = 3; },
     "thread: 3 lanes are no power of two from 2 to 32"},
    {"compress | thread_cols lanes=2", [](LevelFacts& facts) { facts.nz_max = 3; },
     "thread: nz_max is 3, a recount gives 2"},
    {"compress | warp_cols width=2 | thread_cols lanes=32",
     [](LevelFacts& facts) { facts.nz_max = 2; }, "thread: nz_max is 2, a recount gives 1"},
    {"compress | thread_cols lanes=2", [](LevelFacts& facts) { facts.tiling = Tiling::rows; },
     "thread.first_nz is missing"},
};

TEST(ContractFaults, EachStaleFactIsNamed) {
  for (const FactCase& entry : fact_cases) {
    const Store good = *apply_steps(uneven, entry.design);
    Store store(uneven);
    store.compressed = true;
    for (const auto& [key, data] : good.arrays()) store.set(key, data);
    for (LevelFacts facts : good.levels()) {
      if (facts.level == good.innermost()->level) entry.edit(facts);
      store.open(facts);
    }
    EXPECT_EQ(check_store(store), entry.violation);
  }
}

TEST(ContractFaults, SettingsBelongTogether) {
  Store store = *apply_steps(uneven, rows);
  store.compressed = false;
  EXPECT_EQ(check_store(store), "a level is open, but the matrix is not compressed");
  store = *apply_steps(uneven, rows);
  store.partial.shape = Shape::one;
  EXPECT_EQ(check_store(store), "the partial is not what the chain has come to");
  store = *apply_steps(uneven, "compress | warp_rows rows=2");
  store.open(*store.innermost());
  EXPECT_EQ(check_store(store), "warp: it is open inside the warp level");
}

TEST(ContractFaults, OneTriangleHoldsEveryPairOnce) {
  const Store half = *apply_steps(mirror, "symmetric_half");
  ASSERT_EQ(check_store(half), "");
  EXPECT_NE(store_text(half).find("the upper triangle of 6 non-zeros"), std::string::npos);
  Store broken = half;
  broken.set({Level::matrix, Name::nz_col}, Entries{2, 0, 2, 2});
  EXPECT_EQ(check_store(broken),
            "matrix.nz_col[1] is 0, below the diagonal of row 1, but its mirror image is kept");
  broken = half;
  broken.set({Level::matrix, Name::nz_col}, Entries{2, 1, 1, 2});
  EXPECT_EQ(check_store(broken), "matrix: callers_nnz is 6, a recount gives 5");
  broken = half;
  broken.mirror = Mirror::none;
  EXPECT_EQ(check_store(broken), "matrix: callers_nnz is 6, a recount gives 4");
  broken = *apply_steps(uneven, "compress");
  broken.mirror = Mirror::same;
  EXPECT_EQ(check_store(broken), "mirrored, but the matrix is not symmetric");
}

}  // namespace
}  // namespace alphasparse
