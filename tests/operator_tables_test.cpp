// operator_tables: for every operator what it makes of a matrix that is written out, and every
// reason why it does not apply.
#include <gtest/gtest.h>

#include <set>

#include "generator/layout.h"
#include "operators/catalogue.h"
#include "operators/designer.h"
#include "tests/support/battery.h"
#include "tests/support/design_steps.h"

namespace alphasparse {
namespace {

using Entries = std::vector<std::int32_t>;

// Values are not looked at here: only where they stand.
Matrix pattern(std::int32_t cols, const std::vector<std::vector<int>>& rows) {
  std::vector<std::vector<std::pair<int, double>>> entries;
  for (const std::vector<int>& row : rows) {
    entries.emplace_back();
    for (const int col : row) entries.back().emplace_back(col, 1.);
  }
  return from_rows(cols, entries);
}

/// . x . x
/// . . . .
/// . . x .
/// x x . x
const Matrix uneven = pattern(4, {{1, 3}, {}, {2}, {0, 1, 3}});
/// Six rows of lengths 1 3 0 1 2 5.
const Matrix stairs = pattern(8, {{4}, {0, 1, 2}, {}, {7}, {3, 5}, {0, 2, 4, 6, 7}});
/// Every row of length 2.
const Matrix even = pattern(4, {{0, 1}, {1, 2}, {2, 3}});
const Matrix empty = pattern(3, {{}, {}, {}});
const Matrix path = pattern(5, {{0, 2}, {2, 3}, {0, 1}, {1}, {}});
const Matrix upper_path = pattern(4, {{2}, {2, 3}, {}, {}});
/// . . a
/// . b c
/// a c d
const Matrix mirror = from_rows(3, {{{2, 1.}}, {{1, 2.}, {2, 3.}}, {{0, 1.}, {1, 3.}, {2, 4.}}});
const Matrix one_row = pattern(8, {{0, 1, 2, 4, 5, 7}});

constexpr Key row_first_nz{Level::matrix, Name::row_first_nz};
constexpr Key row_origin{Level::matrix, Name::row_origin};
constexpr Key col_origin{Level::matrix, Name::col_origin};
constexpr Key nz_col{Level::matrix, Name::nz_col};
constexpr Key value_source{Level::matrix, Name::value_source};
constexpr Key matrix_child{Level::matrix, Name::first_child};
constexpr Key block_nz{Level::block, Name::first_nz};
constexpr Key block_row{Level::block, Name::first_row};
constexpr Key block_child{Level::block, Name::first_child};
constexpr Key warp_nz{Level::warp, Name::first_nz};
constexpr Key warp_row{Level::warp, Name::first_row};
constexpr Key warp_child{Level::warp, Name::first_child};
constexpr Key thread_nz{Level::thread, Name::first_nz};
constexpr Key thread_row{Level::thread, Name::first_row};

struct ArrayCase {
  const Matrix& matrix;
  const char* prefix;
  std::vector<std::pair<Key, Entries>> arrays;
};

const std::vector<ArrayCase> array_cases = {
    {uneven,
     "compress",
     {{row_first_nz, {0, 2, 2, 3, 6}},
      {row_origin, {0, 1, 2, 3}},
      {nz_col, {1, 3, 2, 0, 1, 3}},
      {value_source, {0, 1, 2, 3, 4, 5}}}},
    {uneven,
     "sort_rows",
     {{row_first_nz, {0, 3, 5, 6, 6}},
      {row_origin, {3, 0, 2, 1}},
      {nz_col, {0, 1, 3, 1, 3, 2}},
      {value_source, {3, 4, 5, 0, 1, 2}}}},
    // equal lengths keep their order
    {stairs,
     "sort_rows",
     {{row_origin, {5, 1, 4, 0, 3, 2}}, {row_first_nz, {0, 5, 8, 10, 11, 12, 12}}}},
    {even, "compress | sort_rows", {{row_origin, {0, 1, 2}}, {value_source, {0, 1, 2, 3, 4, 5}}}},
    // the last band is short; a band may be larger than the matrix
    {stairs, "sort_rows_in_bands rows=4", {{row_origin, {1, 0, 3, 2, 5, 4}}}},
    {stairs, "sort_rows_in_bands rows=2147483647", {{row_origin, {5, 1, 4, 0, 3, 2}}}},
    {stairs, "sort_rows | sort_rows_in_bands rows=2", {{row_origin, {5, 1, 4, 0, 3, 2}}}},

    // the path 0 - 2 - 1 - 3 and, apart from it, 4
    {path, "reorder by=rcm", {{row_origin, {4, 0, 2, 1, 3}}, {row_first_nz, {0, 0, 2, 4, 6, 7}}}},
    {path, "reorder by=columns", {{row_origin, {4, 2, 0, 3, 1}}, {nz_col, {0, 1, 0, 2, 1, 2, 3}}}},
    // rows 0, 2, 1, 3 touch columns 0 and 2, then 1, then 3; nobody touches 4
    {path,
     "reorder by=rcm x=gathered",
     {{col_origin, {0, 2, 1, 3, 4}},
      {nz_col, {0, 1, 0, 2, 1, 3, 2}},
      {value_source, {0, 1, 4, 5, 2, 3, 6}}}},
    // an edge is there whichever of its ends names the other
    {upper_path, "reorder by=rcm", {{row_origin, {0, 2, 1, 3}}}},

    // the diagonal stays; what is dropped is named by nobody
    {mirror,
     "symmetric_half",
     {{row_first_nz, {0, 1, 3, 4}}, {nz_col, {2, 1, 2, 2}}, {value_source, {0, 1, 2, 5}}}},
    // rows that moved keep what is right of the caller's diagonal
    {mirror,
     "sort_rows | symmetric_half | compress",
     {{row_origin, {2, 1, 0}},
      {row_first_nz, {0, 1, 3, 4}},
      {nz_col, {2, 1, 2, 2}},
      {value_source, {5, 1, 2, 0}}}},

    {stairs,
     "compress | block_rows rows=4",
     {{block_row, {0, 4, 6}}, {block_nz, {0, 5, 12}}, {matrix_child, {0, 2}}}},
    {stairs, "compress | block_rows rows=100", {{block_row, {0, 6}}, {block_nz, {0, 12}}}},
    // a row that is longer stands alone; an empty row joins the unit before it
    {stairs, "compress | block_rows nnz=4", {{block_row, {0, 3, 5, 6}}, {block_nz, {0, 4, 7, 12}}}},
    // of empty rows, no more than non-zeros were asked for
    {empty, "compress | warp_rows nnz=2", {{warp_row, {0, 2, 3}}, {warp_nz, {0, 0, 0}}}},
    {stairs,
     "compress | block_rows rows=4 | warp_rows rows=3",
     {{warp_row, {0, 3, 4, 6}}, {warp_nz, {0, 4, 5, 12}}, {block_child, {0, 2, 3}}}},
    {stairs,
     "compress | warp_rows rows=4 | thread_rows rows=1",
     {{thread_row, {0, 1, 2, 3, 4, 5, 6}},
      {thread_nz, {0, 1, 4, 4, 5, 7, 12}},
      {warp_child, {0, 4, 6}}}},
    {stairs,
     "compress | block_rows rows=3 | thread_rows nnz=2",
     {{thread_row, {0, 1, 2, 3, 4, 5, 6}}, {block_child, {0, 3, 6}}}},
    {uneven,
     "sort_rows | compress | thread_rows rows=2",
     {{thread_row, {0, 2, 4}}, {thread_nz, {0, 5, 6}}}},

    // rows move inside their block, and with them all that the matrix level holds
    {stairs,
     "compress | block_rows rows=4 | block_sort_rows",
     {{block_row, {0, 4, 6}},
      {block_nz, {0, 5, 12}},
      {row_origin, {1, 0, 3, 2, 5, 4}},
      {row_first_nz, {0, 3, 4, 5, 5, 10, 12}},
      {nz_col, {0, 1, 2, 4, 7, 0, 2, 4, 6, 7, 3, 5}},
      {value_source, {1, 2, 3, 0, 4, 7, 8, 9, 10, 11, 5, 6}}}},
    {stairs,
     "compress | block_rows rows=4 | block_sort_rows | thread_rows rows=1",
     {{thread_nz, {0, 3, 4, 5, 5, 10, 12}}, {block_child, {0, 4, 6}}}},

    {stairs,
     "compress | block_cols width=4",
     {{block_row, {0, 1, 3, 4, 5, 5}}, {block_nz, {0, 1, 4, 5, 7, 11, 12}}}},
    // a part of a row is cut from its own beginning
    {one_row,
     "compress | block_cols width=4 | warp_cols width=3 | thread_cols width=2",
     {{block_nz, {0, 4, 6}},
      {warp_nz, {0, 3, 4, 6}},
      {warp_row, {0, 0, 0}},
      {block_child, {0, 2, 3}},
      {thread_nz, {0, 2, 3, 4, 6}},
      {warp_child, {0, 2, 3, 4}}}},
    {stairs,
     "compress | block_rows rows=4 | warp_cols width=2",
     {{warp_row, {0, 1, 1, 3, 4, 5, 5, 5}},
      {warp_nz, {0, 1, 3, 4, 5, 7, 9, 11, 12}},
      {block_child, {0, 4, 8}}}},
    {one_row,
     "compress | warp_cols width=4 | thread_nnz nnz=3",
     {{thread_nz, {0, 3, 4, 6}}, {thread_row, {0, 0, 0}}, {warp_child, {0, 2, 3}}}},
    {empty, "compress | warp_cols width=4", {{warp_nz, {0}}, {warp_row, {}}}},

    // an empty row has no run; the run of a short row is short
    {stairs,
     "compress | thread_cols width=2",
     {{thread_row, {0, 1, 1, 3, 4, 5, 5, 5}}, {thread_nz, {0, 1, 3, 4, 5, 7, 9, 11, 12}}}},
    {uneven,
     "compress | warp_rows rows=1 | thread_cols width=2",
     {{thread_row, {0, 2, 3, 3}}, {thread_nz, {0, 2, 3, 5, 6}}, {warp_child, {0, 1, 1, 2, 4}}}},
    {empty, "compress | thread_cols width=2", {{thread_row, {}}, {thread_nz, {0}}}},

    {stairs,
     "compress | thread_nnz nnz=5",
     {{thread_nz, {0, 5, 10, 12}}, {thread_row, {0, 4, 5}}, {matrix_child, {0, 3}}}},
    {one_row, "compress | thread_nnz nnz=4", {{thread_nz, {0, 4, 6}}, {thread_row, {0, 0}}}},
    {empty, "compress | thread_nnz nnz=4", {{thread_nz, {0}}, {thread_row, {}}}},
    // a unit ends with its parent
    {stairs,
     "compress | block_rows rows=2 | thread_nnz nnz=3",
     {{thread_nz, {0, 3, 4, 5, 8, 11, 12}},
      {thread_row, {0, 1, 3, 4, 5, 5}},
      {block_child, {0, 2, 3, 6}}}},
    {stairs,
     "compress | warp_nnz nnz=32 | thread_nnz nnz=1",
     {{warp_nz, {0, 12}},
      {warp_row, {0}},
      {warp_child, {0, 12}},
      {thread_row, {0, 1, 1, 1, 3, 4, 4, 5, 5, 5, 5, 5}}}},
    // the row blocks of CSR-Adaptive: as many rows as hold 4 non-zeros, a longer one alone
    {stairs,
     "compress | block_rows nnz=4 | thread_nnz nnz=1",
     {{block_row, {0, 3, 5, 6}},
      {block_child, {0, 4, 7, 12}},
      {thread_row, {0, 1, 1, 1, 3, 4, 4, 5, 5, 5, 5, 5}}}},
    {stairs,
     "compress | block_nnz nnz=32 | warp_nnz nnz=32",
     {{block_nz, {0, 12}}, {block_row, {0}}, {block_child, {0, 1}}}},
    // the coordinates of the merge path at every fourth item: rows ended, non-zeros taken
    {stairs,
     "compress | thread_merge_path items=4",
     {{thread_row, {0, 1, 3, 5, 5, 6}}, {thread_nz, {0, 3, 5, 7, 11, 12}}}},
    {empty,
     "compress | thread_merge_path items=2",
     {{thread_row, {0, 2, 3}}, {thread_nz, {0, 0, 0}}}},
    {one_row,
     "compress | block_merge_path items=32 | thread_merge_path items=1",
     {{thread_row, {0, 0, 0, 0, 0, 0, 0, 1}},
      {thread_nz, {0, 1, 2, 3, 4, 5, 6, 6}},
      {block_row, {0, 1}},
      {block_nz, {0, 6}},
      {block_child, {0, 7}}}},
    {stairs,
     "compress | block_rows rows=5 | warp_nnz nnz=64",
     {{warp_nz, {0, 7, 12}}, {warp_row, {0, 5}}}},
};

TEST(OperatorTables, MakeTheArraysThatAreWrittenOut) {
  for (const ArrayCase& entry : array_cases) {
    SCOPED_TRACE(entry.prefix);
    const Result<Store> store = apply_steps(entry.matrix, entry.prefix);
    ASSERT_TRUE(store.ok()) << store.reason();
    for (const auto& [key, expected] : entry.arrays) {
      ASSERT_TRUE(store->has(key)) << key_text(key);
      EXPECT_EQ(store->ints(key), expected) << key_text(key);
    }
  }
}

struct PartialCase {
  const Matrix& matrix;
  const char* prefix;
  Shape shape;
  Worker holder, owner;
  Worker together = Worker::thread;
};

const std::vector<PartialCase> partial_cases = {
    {uneven, "compress | thread_rows rows=1 | thread_total", Shape::one, Worker::thread,
     Worker::thread},
    {uneven, "compress | thread_cols lanes=4 | thread_total", Shape::one, Worker::thread,
     Worker::group, Worker::group},
    {uneven, "compress | thread_cols lanes=4 | thread_total | warp_total", Shape::one,
     Worker::group, Worker::group, Worker::group},
    {uneven, "compress | warp_cols width=2 | thread_cols lanes=32 | thread_total | warp_total",
     Shape::one, Worker::warp, Worker::matrix, Worker::warp},
    {uneven,
     "compress | block_cols width=2 | warp_cols width=1 | thread_cols lanes=32 | thread_total",
     Shape::one, Worker::thread, Worker::matrix, Worker::block},
    {uneven,
     "compress | block_rows rows=1 | warp_cols width=2 | thread_cols width=1 | thread_total | "
     "warp_total",
     Shape::one, Worker::warp, Worker::block, Worker::block},
    {uneven, "compress | thread_cols width=2 | thread_total", Shape::one, Worker::thread,
     Worker::matrix},
    {uneven, "compress | warp_rows rows=2 | thread_cols width=2 | thread_total", Shape::one,
     Worker::thread, Worker::matrix},
    {uneven, "compress | warp_rows rows=1 | thread_cols width=2 | thread_total", Shape::one,
     Worker::thread, Worker::warp, Worker::warp},
    {uneven, "compress | warp_rows rows=1 | thread_cols width=2 | thread_total | warp_total",
     Shape::one, Worker::warp, Worker::warp, Worker::warp},
    {uneven, "compress | block_rows rows=1 | thread_cols width=2 | thread_total | warp_total",
     Shape::one, Worker::warp, Worker::block, Worker::block},
    {uneven, "compress | thread_nnz nnz=1 | thread_total", Shape::one, Worker::thread,
     Worker::matrix},
    {uneven, "compress | thread_nnz nnz=32 | thread_bitmap", Shape::head_tail, Worker::thread,
     Worker::matrix},
    {uneven, "compress | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_bitmap | warp_segment",
     Shape::done, Worker::warp, Worker::matrix},
    {uneven, "compress | warp_nnz nnz=32 | thread_nnz nnz=1 | thread_total | warp_bitmap",
     Shape::done, Worker::warp, Worker::matrix},
    {uneven, "compress | block_rows rows=1 | thread_nnz nnz=2 | thread_total", Shape::one,
     Worker::thread, Worker::block, Worker::block},
    {uneven,
     "compress | block_rows rows=1 | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_total | "
     "warp_total",
     Shape::one, Worker::warp, Worker::block, Worker::block},
    {uneven, "compress | block_rows rows=1 | thread_cols width=2 | thread_total | shared_total",
     Shape::one, Worker::block, Worker::block, Worker::block},
    {uneven, "compress | block_rows rows=2 | thread_nnz nnz=1 | thread_total | shared_offset",
     Shape::done, Worker::block, Worker::block},
    {uneven, "compress | block_nnz nnz=32 | thread_nnz nnz=1 | thread_total | shared_offset",
     Shape::done, Worker::block, Worker::matrix},
    {uneven, "compress | thread_merge_path items=3 | thread_merge", Shape::head_tail,
     Worker::thread, Worker::matrix},
    {uneven,
     "compress | warp_merge_path items=96 | thread_merge_path items=3 | thread_merge | "
     "warp_segment",
     Shape::done, Worker::warp, Worker::matrix},
    {uneven,
     "compress | block_merge_path items=96 | thread_merge_path items=3 | thread_merge | "
     "shared_offset",
     Shape::done, Worker::block, Worker::matrix},
};

TEST(OperatorTables, ReductionsSayWhoHoldsWhat) {
  for (const PartialCase& entry : partial_cases) {
    SCOPED_TRACE(entry.prefix);
    const Result<Store> store = apply_steps(entry.matrix, entry.prefix);
    ASSERT_TRUE(store.ok()) << store.reason();
    EXPECT_EQ(store->partial.shape, entry.shape);
    EXPECT_EQ(store->partial.holder, entry.holder);
    EXPECT_EQ(store->partial.owner, entry.owner);
    EXPECT_EQ(store->partial.together, entry.together);
  }
}

TEST(OperatorTables, LayoutsSinksAndLaunchesAreRecorded) {
  const Store store = *apply_steps(
      uneven,
      "compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | "
      "launch threads=64 grid=7");
  EXPECT_TRUE(store.padded && store.interleaved);
  EXPECT_EQ(store.sink, "global_store");
  EXPECT_EQ(store.launch.threads, 64);
  EXPECT_EQ(store.launch.grid, 7);
  const Store equal = *apply_steps(
      even,
      "compress | thread_rows rows=1 | interleave | thread_total | global_atomic | launch "
      "threads=32");
  EXPECT_TRUE(!equal.padded && equal.interleaved);
  EXPECT_TRUE(!store.own_length && !store.ragged && !equal.ragged);
  EXPECT_EQ(equal.sink, "global_atomic");
  EXPECT_EQ(equal.launch.grid, 0);
  const Store own =
      *apply_steps(uneven, "compress | thread_rows rows=1 | thread_pad length=own | interleave");
  EXPECT_TRUE(own.padded && own.own_length && own.interleaved && !own.ragged);
  const Store ragged =
      *apply_steps(uneven, "sort_rows | compress | thread_rows rows=1 | interleave by=ragged");
  const Store wide_loads = *apply_steps(
      uneven,
      "compress | thread_rows rows=1 | thread_pad multiple=4 | interleave run=2 | thread_total "
      "sums=4 vector=2 | global_store | launch threads=32 cache=streamed");
  EXPECT_EQ(wide_loads.multiple, 4);
  EXPECT_EQ(wide_loads.run, 2);
  EXPECT_EQ(wide_loads.vector, 2);
  EXPECT_EQ(wide_loads.chain[0].sums, 4);
  EXPECT_TRUE(wide_loads.launch.streamed && !store.launch.streamed);
  EXPECT_EQ(store.staged, StagedX::none);
  EXPECT_FALSE(store.compact.any());
  const Store packed = *apply_steps(
      uneven, "compress | thread_rows rows=1 | thread_total | global_store | compact columns=full");
  EXPECT_TRUE(packed.compact.structure && packed.compact.values && !packed.compact.columns);
  EXPECT_EQ(apply_steps(even, "compress | block_rows rows=2 | stage_x")->staged, StagedX::range);
  EXPECT_EQ(apply_steps(even, "compress | block_rows rows=2 | stage_x columns=listed")->staged,
            StagedX::listed);
  EXPECT_TRUE(!ragged.padded && !ragged.own_length && ragged.interleaved && ragged.ragged);
  for (const std::string level : {"block", "warp"}) {
    const Store wide = *apply_steps(uneven, "compress | " + level + "_rows rows=2 | thread_rows " +
                                                "rows=1 | thread_pad | " + level + "_pad");
    EXPECT_TRUE(wide.padded && wide.one_width && !store.one_width);
  }
}

// Rows of 2, 0, 1 and 3 non-zeros, in runs of two: . is a pad.
TEST(OperatorTables, RunsStayTogether) {
  const Layout layout =
      *assign_positions(*apply_steps(uneven,
                                     "compress | warp_rows rows=2 | thread_rows rows=1 | "
                                     "thread_pad multiple=2 | interleave run=2"));
  EXPECT_EQ(layout.stride, 64);
  EXPECT_EQ(layout.first_entry, (Entries{0, 64, 192}));
  const auto at = [&](std::size_t first) {
    return Entries(layout.value_source.begin() + first, layout.value_source.begin() + first + 4);
  };
  EXPECT_EQ(at(0), (Entries{0, 1, -1, -1}));
  EXPECT_EQ(at(64), (Entries{2, -1, 3, 4}));
  EXPECT_EQ(at(128), (Entries{-1, -1, 5, -1}));
}

// Two warps of two rows each, the longest of 2 and of 3 non-zeros.
TEST(OperatorTables, PaddedLevelsBeginAtProducts) {
  const std::string tiles = "compress | warp_rows rows=2 | thread_rows rows=1 | thread_pad";
  const auto first_entry = [](const std::string& design) {
    return assign_positions(*apply_steps(uneven, design))->first_entry;
  };
  EXPECT_EQ(first_entry(tiles), (Entries{0, 2, 4, 7, 10}));
  EXPECT_EQ(first_entry(tiles + " | warp_pad"), (Entries{0, 3, 6, 9, 12}));
  EXPECT_EQ(first_entry(tiles + " | interleave"), (Entries{0, 64, 160}));
  EXPECT_EQ(first_entry(tiles + " | warp_pad | interleave"), (Entries{0, 96, 192}));
  // The second row is empty, and so is its warp: it has room for the pads all the same.
  EXPECT_EQ(first_entry("compress | warp_rows rows=1 | thread_cols width=2 | thread_pad | warp_pad "
                        "| interleave"),
            (Entries{0, 64, 128, 192, 256}));
}

TEST(OperatorTables, LevelsSayWhetherLongerUnitsComeFirst) {
  const auto descending = [](const char* design) {
    return apply_steps(stairs, design)->innermost()->descending;
  };
  EXPECT_FALSE(descending("compress | thread_rows rows=1"));
  EXPECT_TRUE(descending("sort_rows | compress | thread_rows rows=1"));
  EXPECT_FALSE(descending("sort_rows_in_bands rows=2 | compress | thread_rows rows=1"));
  EXPECT_TRUE(
      descending("sort_rows_in_bands rows=2 | compress | warp_rows rows=2 | thread_rows rows=1"));
  EXPECT_TRUE(descending("compress | warp_rows rows=1 | thread_cols width=2"));
  EXPECT_TRUE(descending("compress | thread_nnz nnz=5"));
}

/// a b, but c a: only its pattern is symmetric.
const Matrix other_values = from_rows(2, {{{0, 1.}, {1, 2.}}, {{0, 3.}, {1, 1.}}});

struct RefusedCase {
  const char* design;
  const char* reason;
  const Matrix& matrix = uneven;
};

const std::vector<RefusedCase> refused_cases = {
    // the catalogue
    {"compres",
     "compres: no such operator; 'alphasparse operators' lists them, and 'alphasparse designs' the "
     "names of whole lines"},
    {"compress { compress } { compress }", "compress: it takes no branches"},
    {"compress rows=1", "compress: no parameter 'rows'; it has no parameters"},
    {"compress | thread_rows row=1", "thread_rows: no parameter 'row'; it has rows, nnz"},
    {"compress | thread_rows rows=0", "thread_rows: rows=0 is not an integer from 1 to 2147483647"},
    {"compress | thread_rows rows=2147483648",
     "thread_rows: rows=2147483648 is not an integer from 1 to 2147483647"},
    {"compress | thread_rows rows=99999999999999999999",
     "thread_rows: rows=99999999999999999999 is not an integer from 1 to 2147483647"},
    {"compress | thread_rows rows=-1",
     "thread_rows: rows=-1 is not an integer from 1 to 2147483647"},
    {"compress | thread_rows rows=4x",
     "thread_rows: rows=4x is not an integer from 1 to 2147483647"},
    {"compress | thread_rows rows=1,2",
     "thread_rows: rows=1,2 is not an integer from 1 to 2147483647"},
    {"compress | warp_segment by=scan", "warp_segment: by=scan is not one of ballot, prefix"},
    {"launch threads=64 grid=all",
     "launch: grid=all is not an integer from 1 to 16777216, or exact"},
    {"sort_rows_in_bands", "sort_rows_in_bands: rows= is missing"},
    {"compress | thread_nnz", "thread_nnz: nnz= is missing"},
    {"launch", "launch: threads= is missing"},
    {"compress | thread_rows", "thread_rows: give exactly one of rows, nnz"},
    {"compress | thread_rows rows=1 nnz=8", "thread_rows: give exactly one of rows, nnz"},
    {"compress | thread_cols width=2 lanes=2", "thread_cols: give exactly one of width, lanes"},
    // converting
    {"compress | compress", "compress: the matrix is compressed already"},
    {"compress | block_rows rows=1 | sort_rows",
     "sort_rows: rows cannot move once a level is cut; put it before the first cut"},
    {"compress | thread_rows rows=1 | sort_rows_in_bands rows=2",
     "sort_rows_in_bands: rows cannot move once a level is cut; put it before the first cut"},
    {"compress | block_rows rows=1 | reorder by=rcm",
     "reorder: rows cannot move once a level is cut"},
    {"reorder by=rcm", "reorder: the matrix is not square; by=columns needs no square one", even},
    {"reorder by=columns x=gathered | reorder by=columns",
     "reorder: x is gathered for another order of the rows already"},
    {"reorder", "reorder: by= is missing"},
    // mapping
    {"block_rows rows=1", "block_rows: the matrix is not compressed yet; put compress before it"},
    {"compress | warp_rows rows=1 | block_rows rows=1",
     "block_rows: a block level cannot open inside the warp level; blocks come before warps, warps "
     "before threads"},
    {"compress | warp_rows rows=2 | warp_rows rows=1", "warp_rows: a warp level is open already"},
    {"compress | thread_cols lanes=2 | thread_rows rows=1",
     "thread_rows: a thread level is open already"},
    {"compress | thread_rows rows=1 | thread_total | thread_rows rows=1",
     "thread_rows: the reduction has begun already; levels and layouts come before it"},
    {"compress | warp_nnz nnz=32 | thread_rows rows=1",
     "thread_rows: its warp is cut by non-zeros, so only non-zeros can be cut inside it; use "
     "thread_nnz"},
    {"compress | warp_nnz nnz=32 | thread_cols width=2",
     "thread_cols: its warp is cut by non-zeros, so only non-zeros can be cut inside it; use "
     "thread_nnz"},
    {"compress | block_cols width=2 | warp_rows rows=1",
     "warp_rows: its block is a part of one row, so no whole rows can be cut inside it; use "
     "warp_cols"},
    {"compress | warp_rows rows=1 | block_cols width=2",
     "block_cols: a block level cannot open inside the warp level; blocks come before warps, warps "
     "before threads"},
    {"compress | warp_nnz nnz=32 | warp_cols width=2", "warp_cols: a warp level is open already"},
    {"compress | block_cols width=2 | thread_cols lanes=32",
     "thread_cols: lanes are a warp's, but a block has this part of a row; put warp_cols before "
     "it"},
    {"compress | warp_cols width=2 | thread_cols lanes=16",
     "thread_cols: all lanes of a warp share its part of a row; use lanes=32"},
    {"compress | block_sort_rows",
     "block_sort_rows: no block level is open; put block_rows before it"},
    {"compress | block_rows rows=2 | warp_rows rows=1 | block_sort_rows",
     "block_sort_rows: rows cannot move once a block is cut; put it before that cut"},
    {"compress | block_cols width=2 | block_sort_rows",
     "block_sort_rows: the blocks do not have whole rows; cut them with block_rows"},
    {"compress | thread_rows rows=1 | thread_pad | block_pad",
     "block_pad: no block level is open, and padded threads without blocks have one length"},
    {"compress | block_rows rows=2 | thread_rows rows=1 | warp_pad",
     "warp_pad: no warp level is open, and padded threads without warps have one length"},
    {"compress | block_rows rows=2 | warp_rows rows=2 | thread_rows rows=1 | thread_pad | "
     "block_pad",
     "block_pad: the threads lie in warps; use warp_pad"},
    {"compress | block_rows rows=2 | block_pad",
     "block_pad: no thread level is open; put thread_rows, thread_cols or thread_nnz before it"},
    {"compress | warp_rows rows=2 | thread_rows rows=1 | warp_pad",
     "warp_pad: the threads are not padded; put thread_pad before it"},
    {"compress | warp_rows rows=2 | thread_rows rows=1 | thread_pad | interleave | warp_pad",
     "warp_pad: the threads are interleaved already; put it before interleave"},
    {"compress | warp_rows rows=2 | thread_rows rows=1 | thread_pad | warp_pad | warp_pad",
     "warp_pad: the warps are padded already"},
    {"compress | thread_cols lanes=6", "thread_cols: lanes must be a power of two"},
    {"thread_cols width=2",
     "thread_cols: the matrix is not compressed yet; put compress before it"},
    {"compress | warp_nnz nnz=48", "warp_nnz: nnz must be a multiple of 32, the warp's lanes"},
    {"compress | warp_nnz nnz=64 | thread_nnz nnz=1",
     "thread_nnz: 32 threads of 1 do not make a warp's 64 non-zeros; use nnz=2"},
    {"compress | block_nnz nnz=48", "block_nnz: nnz must be a multiple of 32, the warp's lanes"},
    {"compress | block_nnz nnz=128 | warp_nnz nnz=96",
     "warp_nnz: a block's 128 non-zeros are no whole number of warps of 96"},
    {"compress | block_nnz nnz=128 | thread_nnz nnz=3",
     "thread_nnz: a block's 128 non-zeros are no whole number of warps of 96"},
    {"compress | block_merge_path items=48",
     "block_merge_path: items must be a multiple of 32, the warp's lanes"},
    {"compress | warp_merge_path items=48",
     "warp_merge_path: items must be a multiple of 32, the warp's lanes"},
    {"compress | block_rows rows=1 | thread_merge_path items=4",
     "thread_merge_path: a merge path cannot begin inside a block; cut it with block_merge_path, "
     "too"},
    {"compress | warp_merge_path items=96 | thread_merge_path items=4",
     "thread_merge_path: 32 threads of 4 do not make a warp's 96 items; use items=3"},
    {"compress | block_merge_path items=128 | warp_merge_path items=96",
     "warp_merge_path: a block's 128 items are no whole number of warps of 96"},
    {"compress | block_merge_path items=128 | thread_nnz nnz=4",
     "thread_nnz: its block is a piece of a merge path, which only a merge path can cut; use "
     "thread_merge_path"},
    {"compress | thread_merge_path items=4 | interleave",
     "interleave: threads of a merge path read the rows as they lie; leave it out"},
    {"compress | thread_pad",
     "thread_pad: no thread level is open; put thread_rows, thread_cols or thread_nnz before it"},
    {"compress | thread_rows rows=1 | thread_total | thread_pad",
     "thread_pad: the reduction has begun already; levels and layouts come before it"},
    {"compress | thread_cols lanes=2 | thread_pad",
     "thread_pad: lanes that share a row read neighbours already"},
    {"compress | thread_rows rows=2 | thread_pad",
     "thread_pad: a thread has several rows; use thread_rows rows=1"},
    {"compress | thread_rows rows=1 | thread_pad | thread_pad",
     "thread_pad: the threads are padded already"},
    {"compress | thread_rows rows=1 | interleave | thread_pad",
     "thread_pad: the threads are interleaved already; put it before interleave", even},
    {"compress | thread_nnz nnz=4 | thread_pad",
     "thread_pad: threads of equal non-zeros need no pad"},
    {"compress | block_rows rows=1 | interleave",
     "interleave: no thread level is open; put thread_rows, thread_cols or thread_nnz before it"},
    {"compress | thread_nnz nnz=4 | interleave | interleave",
     "interleave: the threads are interleaved already"},
    {"compress | thread_rows rows=1 | interleave",
     "interleave: threads have from 0 to 3 non-zeros; put thread_pad before it"},
    {"sort_rows | compress | thread_rows rows=1 | thread_pad | interleave by=ragged",
     "interleave: padded threads leave nothing ragged; use by=equal"},
    {"compress | thread_nnz nnz=4 | interleave by=ragged",
     "interleave: threads of equal non-zeros leave nothing ragged; use by=equal"},
    {"compress | thread_rows rows=1 | interleave by=ragged",
     "interleave: a thread has more non-zeros than the one before it; sort the rows by length "
     "first"},
    {"sort_rows | compress | thread_rows rows=1 | interleave by=ragged run=2",
     "interleave: a ragged tile has no runs; use run=1"},
    {"compress | thread_nnz nnz=4 | interleave run=2",
     "interleave: threads of equal non-zeros have no runs; use run=1"},
    {"compress | thread_rows rows=1 | thread_pad multiple=2 | interleave run=4",
     "interleave: the threads' lengths are no multiples of 4; use thread_pad multiple=4"},
    {"compress | thread_rows rows=1 | interleave run=4",
     "interleave: the threads' lengths are no multiples of 4; use thread_pad multiple=4", even},
    {"sort_rows | compress | thread_rows rows=1 | interleave",
     "interleave: threads have from 0 to 3 non-zeros; put thread_pad before it, or use by=ragged"},
    {"compress | thread_rows rows=1 | thread_pad multiple=3",
     "thread_pad: multiple=3 is not one of 1, 2, 4"},
    // reductions
    {"compress | thread_rows rows=1 | thread_pad multiple=4 | interleave run=4 | thread_total",
     "thread_total: a thread's entries lie in runs of 4; use vector=4"},
    {"compress | thread_rows rows=1 | thread_pad multiple=4 | interleave | thread_total vector=4",
     "thread_total: a thread's entries lie apart; use interleave run=4"},
    {"compress | thread_rows rows=1 | thread_pad multiple=2 | thread_total vector=4",
     "thread_total: threads do not begin at multiples of 4; use thread_pad multiple=4"},
    {"compress | thread_rows rows=1 | thread_total vector=4",
     "thread_total: threads do not begin at multiples of 4; use thread_pad multiple=4", even},
    {"compress | thread_cols lanes=4 | thread_total vector=2",
     "thread_total: lanes that share a row do not read neighbouring entries; use vector=1"},
    {"compress | thread_nnz nnz=1 | thread_total vector=2",
     "thread_total: threads of equal non-zeros are read one by one; use vector=1"},
    {"compress | thread_rows rows=2 | thread_total vector=2",
     "thread_total: a thread has several rows; use thread_rows rows=1"},
    {"sort_rows | compress | thread_rows rows=1 | interleave by=ragged | thread_total sums=2",
     "thread_total: the diagonals of a ragged tile are added one by one; use sums=1"},
    {"sort_rows | compress | thread_rows rows=1 | interleave by=ragged | thread_total vector=2",
     "thread_total: a thread's entries lie apart; use interleave run=2"},
    {"compress | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_bitmap | warp_segment by=prefix "
     "fast=one_row",
     "warp_segment: by=prefix is as published, without a fast path; use fast=none"},
    {"compress | thread_total",
     "thread_total: no thread level is open; put thread_rows, thread_cols or thread_nnz before it"},
    {"compress | thread_rows rows=1 | thread_total | thread_total",
     "thread_total: the threads' non-zeros are reduced already"},
    {"compress | thread_nnz nnz=2 | thread_total",
     "thread_total: a thread's non-zeros lie in several rows; use thread_bitmap"},
    {"compress | thread_rows rows=1 | thread_bitmap",
     "thread_bitmap: the threads are not cut by a number of non-zeros; cut them with thread_nnz"},
    {"compress | thread_nnz nnz=33 | thread_bitmap",
     "thread_bitmap: 33 flags do not fit the 32 bits of a word"},
    {"compress | thread_nnz nnz=4 | thread_bitmap | thread_bitmap",
     "thread_bitmap: the threads' non-zeros are reduced already"},
    {"compress | thread_cols lanes=4 | warp_total",
     "warp_total: nothing is reduced yet; put thread_total before it"},
    {"compress | thread_cols lanes=4 | thread_total | warp_total | warp_total",
     "warp_total: each group of lanes has added up its threads' sums already"},
    {"compress | thread_rows rows=1 | thread_total | warp_total",
     "warp_total: each thread has whole rows: nothing is left to add"},
    {"compress | thread_cols width=2 | thread_total | warp_total",
     "warp_total: the lanes of a warp hold different rows; use thread_cols lanes=32"},
    {"compress | thread_cols lanes=4 | thread_total | global_atomic | warp_total",
     "warp_total: the sums have gone to y already; only launch comes after that"},
    {"compress | thread_rows rows=1 | thread_total | warp_segment",
     "warp_segment: each sum is of one row, without a head and a tail; use thread_bitmap or "
     "thread_merge"},
    {"compress | thread_nnz nnz=4 | thread_bitmap | warp_segment",
     "warp_segment: no warp level is cut by non-zeros; put warp_nnz before thread_nnz"},
    {"compress | warp_rows rows=2 | thread_nnz nnz=4 | thread_bitmap | warp_segment",
     "warp_segment: no warp level is cut by non-zeros; put warp_nnz before thread_nnz"},
    {"compress | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_bitmap | global_atomic | warp_segment",
     "warp_segment: the sums have gone to y already; only launch comes after that"},
    {"compress | thread_cols lanes=4 | warp_bitmap",
     "warp_bitmap: nothing is reduced yet; put thread_total before it"},
    {"compress | thread_cols width=2 | thread_total | warp_bitmap",
     "warp_bitmap: no warp level is cut by non-zeros, one a lane; put warp_nnz nnz=32 before "
     "thread_nnz"},
    {"compress | warp_rows rows=1 | thread_cols width=2 | thread_total | warp_bitmap",
     "warp_bitmap: no warp level is cut by non-zeros, one a lane; put warp_nnz nnz=32 before "
     "thread_nnz"},
    {"compress | thread_rows rows=1 | thread_merge",
     "thread_merge: the threads are not cut along a merge path; cut them with thread_merge_path"},
    {"compress | thread_merge_path items=4 | thread_total",
     "thread_total: a thread's non-zeros lie in several rows; use thread_merge"},
    {"compress | thread_merge_path items=4 | thread_bitmap",
     "thread_bitmap: the threads are not cut by a number of non-zeros; cut them with thread_nnz"},
    {"compress | warp_merge_path items=96 | thread_merge_path items=3 | thread_merge | "
     "warp_segment by=prefix",
     "warp_segment: by=prefix needs the flags of threads of equal non-zeros; use by=ballot"},
    {"compress | thread_cols width=2 | thread_total | shared_total",
     "shared_total: the threads of a block hold different rows; use block_rows rows=1"},
    {"compress | warp_rows rows=1 | thread_cols width=2 | thread_total | shared_total",
     "shared_total: a row lies in one warp, not in a block; use warp_total"},
    {"compress | thread_rows rows=1 | thread_total | shared_total",
     "shared_total: each thread has whole rows: nothing is left to add"},
    {"compress | thread_nnz nnz=4 | thread_bitmap | shared_total",
     "shared_total: each thread has the sums of a head and a tail, not of one row; use "
     "warp_segment or shared_offset"},
    {"compress | thread_nnz nnz=1 | thread_total | shared_offset",
     "shared_offset: no block level is open, whose threads share a table; put block_rows or "
     "block_nnz before the threads"},
    {"compress | block_rows rows=2 | thread_rows rows=1 | thread_total | shared_offset",
     "shared_offset: each thread has whole rows: nothing is left to add"},
    {"compress | block_rows rows=1 | thread_cols width=2 | thread_total | warp_total | "
     "shared_offset",
     "shared_offset: each warp has added up its threads' sums already"},
    {"compress | thread_nnz nnz=4 | thread_bitmap | shared_offset",
     "shared_offset: no block level is cut like its threads; put block_nnz or block_merge_path "
     "before them"},
    {"compress | block_nnz nnz=4096 | thread_nnz nnz=2 | thread_bitmap | shared_offset",
     "shared_offset: a block has 2048 threads, at most 1024 work together"},
    {"compress | block_cols width=4 | thread_cols width=2 | thread_total | shared_total | "
     "shared_total",
     "shared_total: each block has added up its threads' sums already"},
    {"compress | thread_cols lanes=4 | thread_total | shared_total",
     "shared_total: a row lies in one group of lanes, not in a block; use warp_total"},
    {"compress | thread_cols lanes=4 | thread_total | shared_offset",
     "shared_offset: lanes that share a row need no table; use warp_total"},
    {"compress | warp_nnz nnz=64 | thread_nnz nnz=2 | interleave | warp_segment",
     "warp_segment: nothing is reduced yet; put thread_bitmap before it"},
    {"compress | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_bitmap | warp_total",
     "warp_total: each thread has the sums of a head and a tail, not of one row; use warp_segment "
     "or shared_offset"},
    {"compress | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_bitmap | warp_segment | warp_segment",
     "warp_segment: the rows are summed up already; a sink comes after that"},
    {"compress | thread_rows rows=1 | stage_x",
     "stage_x: no block level is open; put block_rows before it"},
    {"compress | block_rows rows=2 | stage_x | stage_x columns=listed",
     "stage_x: the blocks' slices of x are staged already"},
    {"compress | block_rows rows=2 | thread_rows rows=1 | thread_total | stage_x",
     "stage_x: the reduction has begun already; levels and layouts come before it"},
    // sinks and launch
    {"compress | thread_nnz nnz=4 | thread_bitmap | global_add",
     "global_add: the rows at both ends are shared with neighbours; use global_atomic or "
     "global_carry"},
    {"compress | thread_cols width=2 | thread_total | global_add",
     "global_add: a row has several writers; use global_atomic"},
    {"compress | thread_cols width=2 | thread_total | global_carry",
     "global_carry: each thread has one sum, not a tile with a first and a last row to carry; cut "
     "warps or blocks by non-zeros and use warp_bitmap or shared_offset"},
    {"compress | block_rows rows=2 | thread_nnz nnz=1 | thread_total | shared_offset | "
     "global_carry",
     "global_carry: every row has one writer: nothing is left to carry; use global_store"},
    {"compress | block_nnz nnz=256 | thread_nnz nnz=4 | thread_bitmap | shared_offset | "
     "global_carry | launch threads=128",
     "launch: a block reduces a tile together: threads must be 64"},
    {"compress | thread_rows rows=1 | global_store",
     "global_store: nothing is reduced yet; put thread_total before it"},
    {"compress | thread_rows rows=1 | global_add",
     "global_add: nothing is reduced yet; put thread_total before it"},
    {"compress | thread_rows rows=1 | global_atomic",
     "global_atomic: nothing is reduced yet; put thread_total before it"},
    {"compress | thread_nnz nnz=4 | thread_bitmap | global_store",
     "global_store: the rows at both ends are shared with neighbours; use global_atomic or "
     "global_carry"},
    {"compress | thread_cols width=2 | thread_total | global_store",
     "global_store: a row has several writers; use global_atomic"},
    {"compress | thread_cols lanes=2 | thread_total | global_store",
     "global_store: each thread holds only a part of its row; put warp_total before it, or use "
     "global_atomic"},
    {"compress | block_rows rows=1 | thread_cols width=2 | thread_total | warp_total | "
     "global_store",
     "global_store: each warp holds only a part of its row; put shared_total before it, or use "
     "global_atomic"},
    {"compress | thread_rows rows=1 | thread_total | global_store | global_atomic",
     "global_atomic: the sums have gone to y already; only launch comes after that"},
    {"compress | thread_rows rows=1 | thread_total | launch threads=32",
     "launch: the sums have not gone to y yet; put global_store or global_atomic before it"},
    {"compress | thread_rows rows=1 | thread_total | global_store | launch threads=32 | launch "
     "threads=32",
     "launch: the launch is set already; a design has one"},
    {"compress | thread_rows rows=1 | thread_total | global_store | launch threads=48",
     "launch: threads must be a multiple of 32"},
    {"compress | thread_rows rows=1 | thread_total | compact",
     "compact: the sums have not gone to y yet; put it behind the sink"},
    {"compress | thread_rows rows=1 | thread_total | global_store | compact | compact",
     "compact: the passes are chosen already"},
    {"compress | thread_rows rows=1 | thread_total | global_store | launch threads=32 | compact",
     "compact: the launch is set already; put it before launch"},
    {"compress | thread_rows rows=1 | thread_total | global_store | compact columns=full "
     "structure=full values=full",
     "compact: nothing is left to make smaller"},
    {"compress | thread_rows rows=1 | thread_pad multiple=2 | thread_total vector=2 | global_store "
     "| compact columns=full",
     "compact: several values are loaded at once, which codes are not; use values=full"},
    {"compress | thread_rows rows=1 | thread_pad multiple=2 | thread_total vector=2 | global_store "
     "| compact",
     "compact: several columns are loaded at once, which packed ones are not; use columns=full"},
    // one triangle
    {"symmetric_half", "symmetric_half: the matrix is not symmetric in its pattern and values"},
    {"symmetric_half", "symmetric_half: the matrix is not symmetric in its pattern and values",
     other_values},
    {"symmetric_half", "symmetric_half: the matrix is not symmetric in its pattern and values",
     one_row},
    {"reorder by=rcm x=gathered | symmetric_half",
     "symmetric_half: x is gathered, so columns do not name rows of y any more", mirror},
    {"symmetric_half | reorder by=rcm x=gathered",
     "reorder: mirror images are added to the rows that columns name; use x=kept", mirror},
    {"symmetric_half | compress | block_rows rows=2 | stage_x",
     "stage_x: mirror images are added to the rows that columns name", mirror},
    {"symmetric_half | symmetric_half", "symmetric_half: only one triangle is left already",
     mirror},
    {"compress | thread_rows rows=1 | symmetric_half",
     "symmetric_half: positions cannot go once a level is cut", mirror},
    {"bin_rows at=2 { symmetric_half } { symmetric_half }",
     "branch 1: symmetric_half: a branch need not have the mirror images of its non-zeros; put it "
     "before the split",
     mirror},
    {"symmetric_half | compress | thread_nnz nnz=1 | thread_bitmap",
     "thread_bitmap: a thread does not know the row of each non-zero, whose mirror image it adds; "
     "use thread_total",
     mirror},
    {"symmetric_half | compress | thread_nnz nnz=2",
     "thread_nnz: a thread would not know the row of each non-zero, whose mirror image it adds; "
     "use "
     "nnz=1",
     mirror},
    {"symmetric_half | compress | warp_nnz nnz=64",
     "warp_nnz: a thread would not know the row of each non-zero, whose mirror image it adds; use "
     "nnz=32",
     mirror},
    {"symmetric_half | compress | thread_merge_path items=2",
     "thread_merge_path: a thread of a merge path does not know the row of each non-zero, whose "
     "mirror image it adds; cut rows",
     mirror},
    {"symmetric_half | compress | thread_rows rows=1 | thread_pad multiple=2 | thread_total "
     "vector=2",
     "thread_total: mirror images are added one by one; use vector=1", mirror},
    {"symmetric_half | compress | thread_rows rows=1 | thread_pad multiple=2 | interleave run=2",
     "interleave: mirror images are added one by one, but runs are loaded at once; use run=1",
     mirror},
    {"symmetric_half | compress | warp_nnz nnz=32 | thread_nnz nnz=1 | thread_total | warp_bitmap",
     "warp_bitmap: lanes behind the last non-zero have no row to add mirror images for", mirror},
    {"symmetric_half | compress | thread_rows rows=1 | thread_total | global_store",
     "global_store: mirror images are added to any row at any time; use global_atomic", mirror},
    {"symmetric_half | compress | thread_rows rows=1 | thread_total | global_add",
     "global_add: mirror images are added to any row at any time; use global_atomic", mirror},
    {"symmetric_half | compress | block_nnz nnz=32 | thread_nnz nnz=1 | thread_total | "
     "shared_offset | global_carry",
     "global_carry: mirror images are added to any row at any time; use global_atomic", mirror},
    {"compress | thread_rows rows=1 | launch threads=32",
     "launch: nothing is reduced yet; put thread_total before it"},
    {"compress | thread_nnz nnz=1 | thread_total | global_carry",
     "global_carry: each thread has one sum, not a tile with a first and a last row to carry; cut "
     "warps or blocks by non-zeros and use warp_bitmap or shared_offset"},
    {"compress | thread_cols lanes=2 | thread_total | global_carry",
     "global_carry: each thread holds only a part of its row; put warp_total before it, or use "
     "global_atomic"},
    // what a person might try
    {"sort_rows_in_bands rows=32 | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad "
     "| interleave | thread_total | warp_segment | global_atomic | launch threads=128",
     "warp_segment: each sum is of one row, without a head and a tail; use thread_bitmap or "
     "thread_merge"},
    {"compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_carry | "
     "launch threads=256",
     "global_carry: every row has one writer: nothing is left to carry; use global_store"},
    {"compress | thread_rows rows=1 width=4 | thread_total | global_store | launch threads=256",
     "thread_rows: no parameter 'width'; it has rows, nnz"},
    {"compress | thread_rows | thread_total | global_store | launch threads=256",
     "thread_rows: give exactly one of rows, nnz"},
    {"compress | thread_total | thread_rows rows=1 | global_store | launch threads=256",
     "thread_total: no thread level is open; put thread_rows, thread_cols or thread_nnz before it"},
    {"thread_rows rows=1 | thread_total | global_store | launch threads=256",
     "thread_rows: the matrix is not compressed yet; put compress before it"},
    {"compress | thread_rows rows=1 | block_rows rows=4 | thread_total | global_store | launch "
     "threads=256",
     "block_rows: a block level cannot open inside the thread level; blocks come before warps, "
     "warps before threads"},
    {"compress | thread_nnz nnz=1 | thread_total | global_store | launch threads=256",
     "global_store: a row has several writers; use global_atomic"},
    {"compress | warp_nnz nnz=512 | thread_nnz nnz=8 | thread_bitmap | warp_segment | "
     "global_atomic | launch threads=128",
     "thread_nnz: 32 threads of 8 do not make a warp's 512 non-zeros; use nnz=16"},
    {"compress | thread_rows rows=1 | thread_total | launch threads=128 | global_store",
     "launch: the sums have not gone to y yet; put global_store or global_atomic before it"},
    {"csr5 threads=64",
     "csr5: no such operator; 'alphasparse operators' lists them, and 'alphasparse designs' the "
     "names of whole lines"},
    // the end
    {"compress | thread_rows rows=1 | thread_total",
     "the design ends before its launch; add '| global_atomic | launch threads=128'"},
    {"compress | thread_rows rows=1 | thread_total | global_store",
     "the design ends before its launch; add '| launch threads=128'"},
};

TEST(OperatorTables, RefuseWithTheReasonThatIsWrittenOut) {
  for (const RefusedCase& entry : refused_cases) {
    Designer designer(entry.matrix);
    const Result<Design> design = parse_design(entry.design);
    ASSERT_TRUE(design.ok()) << design.reason();
    const Result<Store> store = designer.apply(*design);
    ASSERT_FALSE(store.ok()) << entry.design;
    EXPECT_EQ(store.reason(), entry.reason) << entry.design;
    EXPECT_EQ(store.failure().status, Status::pruned);
  }
}

TEST(OperatorTables, EveryOperatorIsRefusedAndAppliedSomewhere) {
  std::string applied, refused;
  for (const ArrayCase& entry : array_cases) applied += std::string(entry.prefix) + " ";
  for (const PartialCase& entry : partial_cases) applied += std::string(entry.prefix) + " ";
  applied +=
      "thread_pad block_pad warp_pad interleave stage_x compact global_store global_add "
      "global_atomic "
      "global_carry "
      "launch ";
  for (const RefusedCase& entry : refused_cases) refused += std::string(entry.reason) + "\n";
  for (const Operator* op : catalogue()) {
    if (op->branches) continue;  // in branch_tables_test.cpp
    EXPECT_NE(applied.find(std::string(op->name) + " "), std::string::npos) << op->name;
    EXPECT_NE(("\n" + refused).find("\n" + std::string(op->name) + ": "), std::string::npos)
        << op->name;
  }
}

/// An operator whose own test is content, but whose key nobody makes.
TEST(OperatorTables, ARequiredKeyIsAskedForLast) {
  Operator op;
  op.required = {{Level::thread, Name::first_nz}};
  op.applies = [](const Store&, const Arguments&) -> std::optional<std::string> {
    return std::nullopt;
  };
  EXPECT_EQ(cannot_apply(op, Store(uneven), {}),
            "it needs thread.first_nz, which no step has made");
  EXPECT_EQ(cannot_apply(op, *apply_steps(uneven, "compress | thread_rows rows=1"), {}),
            std::nullopt);
  op.applies = [](const Store&, const Arguments&) -> std::optional<std::string> { return "no"; };
  EXPECT_EQ(cannot_apply(op, Store(uneven), {}), "no");
}

/// What an operator declares about keys is true: provided keys are there, keys that are neither
/// provided nor invalidated have not changed.
TEST(OperatorTables, DeclaredKeysAreTrue) {
  const char* const designs[] = {
      "sort_rows | sort_rows_in_bands rows=2 | compress | block_rows rows=2 | warp_nnz nnz=64 | "
      "thread_nnz nnz=2 | interleave | thread_bitmap | warp_segment | global_atomic | launch "
      "threads=64",
      "compress | warp_rows rows=2 | thread_rows rows=1 | thread_pad | thread_total | global_store",
      "compress | warp_rows rows=1 | thread_cols width=2 | thread_total | warp_total",
      "reorder by=columns | compress | block_rows rows=3 | block_sort_rows | warp_cols width=3 | "
      "thread_cols width=2 | thread_pad | warp_pad | interleave",
      "compress | block_merge_path items=64 | warp_merge_path items=32 | thread_merge_path items=1 "
      "| thread_merge | warp_segment | global_carry",
      "compress | block_nnz nnz=64 | thread_nnz nnz=1 | thread_total | shared_offset | "
      "global_carry"};
  for (const char* const design : designs) {
    std::map<Key, Ints> before = Store(stairs).arrays();
    const Design steps = *parse_design(design);
    std::size_t index = 0;
    const Result<Store> store =
        apply_steps(stairs, design, [&](const Store& after, const std::string& prefix) {
          const Operator& op = *find_operator(steps.steps[index++].op);
          for (const Key key : op.provided) EXPECT_TRUE(after.has(key)) << prefix;
          const std::set<Key> changed(op.invalidated.begin(), op.invalidated.end());
          for (const auto& [key, data] : before) {
            if (changed.count(key)) continue;
            EXPECT_EQ(after.ints(key), *data) << key_text(key) << " after " << prefix;
          }
          before = after.arrays();
        });
    EXPECT_TRUE(store.ok()) << store.reason();
  }
}

}  // namespace
}  // namespace alphasparse
