// contract_faults: each invariant of stores and layouts, broken once, is the fault that the checker
// names.
#include <gtest/gtest.h>

#include <functional>

#include "generator/facts/contract.h"
#include "generator/layouts/layout_contract.h"
#include "generator/layouts/positions.h"
#include "tests/support/battery.h"
#include "tests/support/design_steps.h"

namespace alphasparse {
namespace {

using Entries = std::vector<std::int32_t>;

/// Rows of lengths 2, 0, 1, 3.
const Matrix& matrix() {
  static const Matrix built =
      from_rows(4, {{{0, 1.}, {2, 2.}}, {}, {{1, 3.}}, {{0, 4.}, {1, 5.}, {3, 6.}}});
  return built;
}

Store store_of(const std::string& design) { return *apply_steps(matrix(), design); }

const char* const rows = "compress | warp_rows rows=2 | thread_rows rows=1";
const char* const cols = "compress | thread_cols width=2";
const char* const nnz = "compress | thread_nnz nnz=4";
const char* const jds = "sort_rows | compress | thread_rows rows=1 | interleave by=ragged";
const char* const path = "compress | thread_merge_path items=4";

const char* const plain = "compress | thread_rows rows=1";
const char* const padded = "compress | thread_rows rows=1 | thread_pad";
const char* const ell = "compress | thread_rows rows=1 | thread_pad | interleave";
const char* const own = "compress | thread_rows rows=1 | thread_pad length=own | interleave";
const char* const runs = "compress | thread_rows rows=1 | thread_pad multiple=2 | interleave run=2";
const char* const lanes = "compress | thread_cols lanes=2 | thread_pad multiple=2";
const char* const wide =
    "compress | warp_rows rows=2 | thread_rows rows=1 | thread_pad | warp_pad | interleave";
const char* const gang =
    "compress | warp_rows rows=2 | thread_rows rows=1 | thread_pad | interleave | thread_total | "
    "global_store | launch tasks=bytes";
const char* const gang_diagonals =
    "compress | warp_rows rows=2 | thread_rows rows=1 | warp_diagonals | interleave | thread_total "
    "| "
    "global_store | launch tasks=bytes";
const char* const tile = "compress | warp_nnz nnz=64 | thread_nnz nnz=2 | interleave";

struct ArrayCase {
  const char* design;
  Key key;
  Entries broken;
  const char* fault;
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
     {0, 2, 1, 0, 1},
     "matrix.nz_col has 5 entries, not 6 (nnz)"},
    {"compress",
     {Level::matrix, Name::nz_col},
     {0, 2, 1, 0, 4, 3},
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
    Store store = store_of(entry.design);
    ASSERT_EQ(check_store(store), "");
    store.set(entry.key, entry.broken);
    EXPECT_EQ(check_store(store), entry.fault);
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
  const char* fault;
};

const std::vector<FactCase> fact_cases = {
    {rows, [](LevelFacts& facts) { facts.units = 3; },
     "thread.first_nz has 5 entries, not 4 (units + 1)"},
    {rows, [](LevelFacts& facts) { facts.nz_max = 2; }, "thread: nz_max is 2, a recount gives 3"},
    {rows, [](LevelFacts& facts) { facts.nz_min = 1; }, "thread: nz_min is 1, a recount gives 0"},
    {rows, [](LevelFacts& facts) { facts.rows_max = 2; },
     "thread: rows_max is 2, a recount gives 1"},
    {rows, [](LevelFacts& facts) { facts.children_max = 4; },
     "thread: children_max is 4, a recount gives 2"},
    {rows, [](LevelFacts& facts) { facts.descending = true; },
     "thread: descending is 1, a recount gives 0"},
    {rows, [](LevelFacts& facts) { facts.items = 1; }, "thread: items is 1, a recount gives 0"},
    {rows, [](LevelFacts& facts) { facts.lanes = 2; }, "thread: lanes is 2, a recount gives 0"},
    {rows, [](LevelFacts& facts) { facts.parent = Level::block; },
     "thread: its parent is said to be block, not warp"},
    {"compress | block_rows rows=2", [](LevelFacts& facts) { facts.level = Level::warp; },
     "block.first_nz is there, but no block level is open"},
    {nnz, [](LevelFacts& facts) { facts.items = 5; },
     "thread.first_nz[1] is 4: a unit of 4 non-zeros, not 5"},
    {"compress | thread_cols lanes=2", [](LevelFacts& facts) { facts.lanes = 3; },
     "thread: 3 lanes are no power of two from 2 to 32"},
    {"compress | thread_cols lanes=2", [](LevelFacts& facts) { facts.nz_max = 3; },
     "thread: nz_max is 3, a recount gives 2"},
    {"compress | warp_cols width=2 | thread_cols lanes=32",
     [](LevelFacts& facts) { facts.nz_max = 2; }, "thread: nz_max is 2, a recount gives 1"},
    {"compress | thread_cols lanes=2", [](LevelFacts& facts) { facts.cut = Cut::rows; },
     "thread.first_nz is missing"},
};

TEST(ContractFaults, EachStaleFactIsNamed) {
  for (const FactCase& entry : fact_cases) {
    const Store good = store_of(entry.design);
    Store store(matrix());
    store.compressed = true;
    for (const auto& [key, data] : good.arrays()) store.set(key, data);
    for (LevelFacts facts : good.levels()) {
      if (facts.level == good.innermost()->level) entry.edit(facts);
      store.open(facts);
    }
    EXPECT_EQ(check_store(store), entry.fault);
  }
}

TEST(ContractFaults, ALayoutNeedsItsLevels) {
  Store store = store_of("compress | thread_cols lanes=4");
  store.layout = Tiled{Padding{}, 1};
  EXPECT_EQ(check_choice(store), "padded or interleaved, but no threads are enumerated");
  store = store_of("compress");
  store.layout = Ragged{};
  EXPECT_EQ(check_choice(store), "padded or interleaved, but no threads are enumerated");
  store.layout = WarpDiagonals{};
  EXPECT_EQ(check_choice(store), "padded or interleaved, but no threads are enumerated");
  store = store_of(ell);
  ASSERT_EQ(check_choice(store), "");
  store.vector = 4;
  EXPECT_EQ(check_choice(store), "4 entries are loaded at once, but runs are of 1");
  store = store_of(jds);
  ASSERT_EQ(check_choice(store), "");
  store = store_of(lanes);
  ASSERT_EQ(check_choice(store), "");
  store.vector = 4;
  EXPECT_EQ(check_choice(store), "4 entries are loaded at once, but rows begin at multiples of 2");
  store = store_of(rows);
  store.layout = PaddedRows{2};
  EXPECT_EQ(check_choice(store), "rows are padded, but no lanes share them");
  store = store_of(rows);
  store.layout = Ragged{};
  EXPECT_EQ(check_choice(store), "ragged, but a thread is longer than one before it");
}

TEST(ContractFaults, SettingsBelongTogether) {
  Store store = store_of(rows);
  store.compressed = false;
  EXPECT_EQ(check_store(store), "a level is open, but the matrix is not compressed");
  store = store_of(rows);
  store.partial.shape = Shape::one;
  EXPECT_EQ(check_store(store), "the partial is not what the chain has come to");
  store = store_of("compress | warp_rows rows=2");
  store.open(*store.innermost());
  EXPECT_EQ(check_store(store), "warp: it is open inside the warp level");
}

struct LayoutCase {
  const char* design;
  std::function<void(Layout&)> edit;
  const char* fault;
};

// `padded` stores, a thread a line (column:value, value -1 a pad):
//   0:0 2:1 2:-1   |   -1:-1 -1:-1 -1:-1   |   1:2 1:-1 1:-1   |   0:3 1:4 3:5
const std::vector<LayoutCase> layout_cases = {
    {plain, [](Layout& layout) { layout.stored = 7; }, "stored is 7, stored_entries says 6"},
    {plain, [](Layout& layout) { layout.column.pop_back(); }, "column has 5 entries, not 6"},
    {plain, [](Layout& layout) { layout.value_source.pop_back(); },
     "value_source has 5 entries, not 6"},
    {plain, [](Layout& layout) { layout.in_order = false; },
     "in_order is false, the store says otherwise"},
    {plain, [](Layout& layout) { layout.column[1] = 4; }, "column[1] is 4, not in [0, 4)"},
    {plain, [](Layout& layout) { layout.column[1] = -1; }, "column[1] is -1, not in [0, 4)"},
    {plain, [](Layout& layout) { layout.predicated = true; },
     "the product is predicated, but no column is -1"},
    {plain, [](Layout& layout) { layout.value_source[1] = 6; },
     "value_source[1] is 6, not in [-1, 6)"},
    {plain, [](Layout& layout) { layout.value_source[1] = 0; },
     "value_source[1] is 0, stored before"},
    {plain, [](Layout& layout) { layout.value_source[1] = -1; }, "value 1 is not stored"},
    {plain, [](Layout& layout) { std::swap(layout.value_source[1], layout.value_source[2]); },
     "value_source[1] is 2, not 1, of non-zero 1"},
    {plain, [](Layout& layout) { layout.column[1] = 3; }, "column[1] is 3, not 2, of non-zero 1"},

    {padded, [](Layout& layout) { layout.predicated = false; }, "column[3] is -1, not in [0, 4)"},
    {padded, [](Layout& layout) { layout.column[2] = 1; },
     "column[2] is 1, which the pad's row 0 does not have"},
    {padded, [](Layout& layout) { layout.column[4] = 0; },
     "column[4] is 0, but the pad's row is empty"},
    {padded, [](Layout& layout) { layout.first_entry.pop_back(); },
     "first_entry has 4 entries, not 5"},
    {padded, [](Layout& layout) { layout.first_entry[0] = 1; }, "first_entry[0] is 1, not 0"},
    {padded, [](Layout& layout) { layout.first_entry[1] = 7; },
     "first_entry[2] is 6, less than the 7 before it"},
    {padded, [](Layout& layout) { layout.first_entry[4] = 11; },
     "first_entry[4] is 11, not 12, the end"},
    {padded, [](Layout& layout) { layout.first_entry[1] = 1; },
     "thread 0 does not reach its non-zero 1"},
    {padded, [](Layout& layout) { layout.stride = 2; },
     "stride is 2: threads of one parent would overlap"},
    {padded, [](Layout& layout) { std::swap(layout.value_source[8], layout.value_source[9]); },
     "value_source[8] is 3, but a pad stands there"},

    {ell, [](Layout& layout) { layout.stride = 3; },
     "stride is 3: threads of one parent would overlap"},
    {ell, [](Layout& layout) { layout.stride = 16; },
     "value_source[16] is -1, not 1, of non-zero 1"},
    {tile, [](Layout& layout) { layout.stride = 64; }, "warp 0 has 64 entries, not 64 lanes of 2"},
    {tile, [](Layout& layout) { layout.column[40] = 2; },
     "column[40] is 2, which the pad's row 3 does not have"},
    {own, [](Layout& layout) { layout.stride = 128; },
     "thread 0 reads beyond the last stored entry"},
    {own, [](Layout& layout) { std::swap(layout.value_source[0], layout.value_source[1]); },
     "value_source[0] is -1, not 0, of non-zero 0"},
    {wide, [](Layout& layout) { layout.first_entry[1] = 64; },
     "first_entry[2] is 192, no multiple of 64: tiles differ in width"},
    {runs, [](Layout& layout) { std::swap(layout.value_source[1], layout.value_source[2]); },
     "value_source[1] is -1, not 1, of non-zero 1"},
    {runs, [](Layout& layout) { layout.stride = 32; },
     "column[34] is 0, but the pad's row is empty"},
    // lanes: first_entry 0 2 2 4 8, a pad at 3 and at 7
    {lanes, [](Layout& layout) { layout.first_entry.pop_back(); },
     "first_entry has 4 entries, not 5"},
    {lanes, [](Layout& layout) { layout.first_entry[1] = 1; },
     "first_entry[1] is 1, not 2 behind the one before it"},
    {lanes, [](Layout& layout) { layout.first_entry[2] = 4; },
     "first_entry[2] is 4, not 0 behind the one before it"},
    {lanes, [](Layout& layout) { layout.column[3] = 2; },
     "column[3] is 2, which the pad's row 2 does not have"},
    {lanes, [](Layout& layout) { std::swap(layout.value_source[2], layout.value_source[3]); },
     "value_source[2] is -1, not 2, of non-zero 2"},
    {lanes, [](Layout& layout) { layout.in_order = true; },
     "in_order is true, the store says otherwise"},
    // gang: lane 1 of the first gang, of 8, has no entry
    {gang, [](Layout& layout) { layout.empty_lanes.clear(); },
     "lane 1 of gang 0 has no entries, but its sum is not cleared"},
    {gang, [](Layout& layout) { layout.empty_lanes[1] = 2; },
     "lane 1 of gang 1 has entries, but its sum is cleared"},
    {gang, [](Layout& layout) { layout.column[1] = 1; },
     "column[1] is 1, but the pad's row is empty"},
    // gang_diagonals: no lane is cleared, for bits leave out missing entries
    {gang_diagonals, [](Layout& layout) { layout.value_source[1] = 0; },
     "value_source[1] is 0, stored before"},
    {gang_diagonals, [](Layout& layout) { layout.column[1] = 0; },
     "column[1] is 0, but the pad's row is empty"},
    // jds: first_entry 0 3 5 6, first_diagonal 0 3
    {jds, [](Layout& layout) { layout.first_diagonal[1] = 2; },
     "first_diagonal[1] is 2, not 3, the end"},
    {jds, [](Layout& layout) { layout.first_entry[3] = 5; }, "first_entry[3] is 5, not 6, the end"},
    {jds, [](Layout& layout) { layout.first_entry[1] = 2; },
     "value_source[2] is 2, not 4, of non-zero 1"},
    {jds, [](Layout& layout) { layout.first_entry[2] = 4; },
     "value_source[4] is 1, not 5, of non-zero 2"},
    {jds,
     [](Layout& layout) {
       layout.first_entry = {0, 4, 5, 6};
     },
     "value_source[4] is 1, not 4, of non-zero 1"},
    {nnz, [](Layout& layout) { layout.first_entry[1] = 5; },
     "thread 1 reads beyond the last stored entry"},
    {"compress | warp_rows rows=2 | thread_nnz nnz=2 | interleave",
     [](Layout& layout) { layout.first_entry[1] = 96; },
     "warp 0 has 96 entries, not 32 lanes of 2"},
    {"compress | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_bitmap | warp_segment",
     [](Layout& layout) {
       layout.value_source[6] = 0;
       layout.value_source[0] = -1;
     },
     "value_source[6] is 0, but a pad stands there"},
};

TEST(ContractFaults, EachBrokenLayoutIsNamed) {
  for (const LayoutCase& entry : layout_cases) {
    const Store store = store_of(entry.design);
    Layout layout = *assign_positions(store);
    ASSERT_EQ(check_layout(store, layout), "") << entry.design;
    entry.edit(layout);
    EXPECT_EQ(check_layout(store, layout), entry.fault);
  }
}

TEST(ContractFaults, OneTriangleHoldsEveryPairOnce) {
  const Matrix mirror = from_rows(3, {{{2, 1.}}, {{1, 2.}, {2, 3.}}, {{0, 1.}, {1, 3.}, {2, 4.}}});
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
  broken.mirrored = false;
  EXPECT_EQ(check_store(broken), "matrix: callers_nnz is 6, a recount gives 4");
  broken = store_of("compress");
  broken.mirrored = true;
  EXPECT_EQ(check_store(broken), "mirrored, but the matrix is not symmetric");
}

struct BitmapCase {
  std::function<void(Layout&)> edit;
  const char* fault;
};

// One block of 8 x 4: bits 0 and 2 of row 0, 9 of row 2, and 12, 13 and 15 of row 3.
const std::vector<BitmapCase> bitmap_cases = {
    {[](Layout& layout) { layout.bitmap.reset(); },
     "there are bitmap blocks or threads in places, the store says otherwise"},
    {[](Layout& layout) { layout.in_order = true; }, "in_order is true, the store says otherwise"},
    {[](Layout& layout) { layout.bitmap->band_first[1] = 2; },
     "band_first[1] is 2, not 1, the end"},
    {[](Layout& layout) { layout.bitmap->bits.pop_back(); },
     "1 blocks have 0 words of bits and 1 first entries"},
    {[](Layout& layout) { layout.bitmap->bits[0] |= 1u << 1; },
     "block 0 has a bit for column 1 of row 0"},
    {[](Layout& layout) { layout.bitmap->bits[0] &= ~(1u << 15); },
     "row 3 has no bit for its non-zero 5"},
    {[](Layout& layout) { layout.bitmap->first_entry[0] = 1; },
     "value_source[1] is 1, not 0, of non-zero 0"},
};

TEST(ContractFaults, EachBrokenBitIsNamed) {
  Store store = store_of("compress");
  store.layout = BitBlocks{4};
  for (const BitmapCase& entry : bitmap_cases) {
    Layout layout = *assign_positions(store);
    ASSERT_EQ(check_layout(store, layout), "");
    entry.edit(layout);
    EXPECT_EQ(check_layout(store, layout), entry.fault);
  }
}

}  // namespace
}  // namespace alphasparse
