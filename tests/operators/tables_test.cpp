// operator_tables: for every operator its result on a matrix that is written out.
#include <gtest/gtest.h>

#include <set>

#include "generator/arrays/fragment.h"
#include "generator/facts/layout.h"
#include "generator/layouts/positions.h"
#include "operators/catalogue.h"
#include "operators/designer.h"
#include "tests/support/battery.h"
#include "tests/support/design_steps.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

using Entries = std::vector<std::int32_t>;

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

/// Its rows have the levels 0 1 0 2.
const Matrix lower = pattern(4, {{0}, {0}, {2}, {1, 2}});

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
    // rows 0, 2, 1, 3 touch columns 0 and 2, then 1, then 3; no row touches 4
    {path,
     "reorder by=rcm x=gathered",
     {{col_origin, {0, 2, 1, 3, 4}},
      {nz_col, {0, 1, 0, 2, 1, 3, 2}},
      {value_source, {0, 1, 4, 5, 2, 3, 6}}}},
    // an edge is there if either of its ends names the other
    {upper_path, "reorder by=rcm", {{row_origin, {0, 2, 1, 3}}}},

    // the same order of the rows, and columns by it: row 0, now the second, had columns 0 and 2
    {path,
     "permute by=rcm",
     {{row_origin, {0, 1, 2, 3, 4}},
      {row_first_nz, {0, 0, 2, 4, 6, 7}},
      {nz_col, {1, 2, 1, 3, 2, 4, 3}},
      {value_source, {0, 1, 4, 5, 2, 3, 6}}}},

    // rows of 3, 2, 1 and no entries, and the levels of triangles: rows behind all that they name
    {uneven, "permute by=degree", {{row_first_nz, {0, 3, 5, 6, 6}}, {nz_col, {0, 1, 3, 0, 3, 2}}}},
    {lower,
     "permute by=levels",
     {{row_first_nz, {0, 1, 2, 3, 5}}, {nz_col, {0, 1, 0, 1, 2}}, {value_source, {0, 2, 1, 4, 3}}}},
    {upper_path, "permute by=levels", {{row_first_nz, {0, 0, 0, 1, 3}}, {nz_col, {0, 0, 1}}}},

    // the path 0 - 2 - 1 - 3 is one part, and stays as it is: a tile of rows holds it
    {path, "permute by=dissection", {{nz_col, {0, 2, 2, 3, 0, 1, 1}}}},

    // the diagonal stays; no array names dropped entries
    {mirror,
     "symmetric_half",
     {{row_first_nz, {0, 1, 3, 4}}, {nz_col, {2, 1, 2, 2}}, {value_source, {0, 1, 2, 5}}}},
    // rows that moved keep entries right of the caller's diagonal
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
    {uneven, "compress | thread_nnz nnz=32 | thread_bitmap vector=4", Shape::head_tail,
     Worker::thread, Worker::matrix},
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
  EXPECT_EQ(store.layout, LayoutChoice((Tiled{Padding{}, 1})));
  EXPECT_EQ(store.epilogue, "global_store");
  EXPECT_EQ(store.launch.threads, 64);
  EXPECT_EQ(store.launch.grid, 7);
  const Store equal = *apply_steps(
      even,
      "compress | thread_rows rows=1 | interleave | thread_total | global_atomic | launch "
      "threads=32");
  EXPECT_EQ(equal.layout, LayoutChoice((Tiled{std::nullopt, 1})));
  EXPECT_EQ(equal.epilogue, "global_atomic");
  EXPECT_EQ(equal.launch.grid, 0);
  const Store own =
      *apply_steps(uneven, "compress | thread_rows rows=1 | thread_pad length=own | interleave");
  EXPECT_EQ(own.layout, LayoutChoice((Tiled{Padding{true, 1, false}, 1})));
  const Store ragged =
      *apply_steps(uneven, "sort_rows | compress | thread_rows rows=1 | interleave by=ragged");
  const Store wide_loads = *apply_steps(
      uneven,
      "compress | thread_rows rows=1 | thread_pad multiple=4 | interleave run=2 | thread_total "
      "sums=4 vector=2 | global_store | launch threads=32 blocks=8 cache=streamed");
  EXPECT_EQ(wide_loads.layout, LayoutChoice((Tiled{Padding{false, 4, false}, 2})));
  EXPECT_EQ(wide_loads.vector, 2);
  EXPECT_EQ(wide_loads.chain()[0].sums, 4);
  EXPECT_TRUE(wide_loads.launch.streamed && !store.launch.streamed);
  const Store wide_walks = *apply_steps(
      uneven,
      "compress | warp_nnz nnz=256 | thread_nnz nnz=8 | interleave run=4 | thread_bitmap vector=4");
  EXPECT_EQ(wide_walks.layout, LayoutChoice((Tiled{std::nullopt, 4})));
  EXPECT_EQ(wide_walks.vector, 4);
  EXPECT_EQ(wide_walks.chain()[0].fragment->name, "thread_bitmap_wide");
  const Store batches =
      *apply_steps(uneven, "compress | thread_rows rows=1 | thread_total batch=4");
  EXPECT_EQ(batches.chain()[0].fragment->name, "thread_total_batch");
  EXPECT_EQ(batches.chain()[0].batch, 4);
  EXPECT_EQ(wide_loads.launch.blocks_least, 8);
  EXPECT_EQ(store.launch.blocks_least, 0);
  EXPECT_EQ(store.staged, StagedX::none);
  EXPECT_FALSE(store.compact.any());
  const Store packed = *apply_steps(
      uneven, "compress | thread_rows rows=1 | thread_total | global_store | compact columns=full");
  EXPECT_EQ(packed.compact.columns, CodingChoice::full);
  EXPECT_EQ(packed.compact.structure, CodingChoice::fewest);
  EXPECT_TRUE(packed.compact.models);
  EXPECT_EQ(packed.compact.values, ValueChoice::coded);
  EXPECT_EQ(packed.compact.exceptions, 4);
  EXPECT_EQ(apply_steps(even, "compress | block_rows rows=2 | stage_x")->staged, StagedX::range);
  EXPECT_EQ(apply_steps(even, "compress | block_rows rows=2 | stage_x columns=listed")->staged,
            StagedX::listed);
  EXPECT_EQ(ragged.layout, LayoutChoice(Ragged{}));
  for (const std::string level : {"block", "warp"}) {
    const Store wide = *apply_steps(uneven, "compress | " + level + "_rows rows=2 | thread_rows " +
                                                "rows=1 | thread_pad | " + level + "_pad");
    EXPECT_EQ(wide.layout, LayoutChoice((Tiled{Padding{false, 1, true}, 0})));
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

// Rows of 2, 0, 1 and 3 non-zeros, and the same in parts of two.
TEST(OperatorTables, RowsOfLanesBeginAtMultiples) {
  const Store rows = *apply_steps(
      uneven, "compress | thread_cols lanes=2 | thread_pad multiple=2 | thread_total vector=2");
  EXPECT_EQ(rows.layout, LayoutChoice(PaddedRows{2}));
  EXPECT_EQ(rows.vector, 2);
  const Layout of_rows = *assign_positions(rows);
  EXPECT_EQ(of_rows.first_entry, (Entries{0, 2, 2, 4, 8}));
  EXPECT_EQ(of_rows.value_source, (Entries{0, 1, 2, -1, 3, 4, 5, -1}));
  EXPECT_EQ(of_rows.column, (Entries{1, 3, 2, 2, 0, 1, 3, 3}));
  const Layout of_parts = *assign_positions(*apply_steps(
      uneven, "compress | warp_cols width=2 | thread_cols lanes=32 | thread_pad multiple=4"));
  EXPECT_EQ(of_parts.first_entry, (Entries{0, 4, 8, 12, 16}));
  EXPECT_EQ(of_parts.value_source,
            (Entries{0, 1, -1, -1, 2, -1, -1, -1, 3, 4, -1, -1, 5, -1, -1, -1}));
  EXPECT_EQ(of_parts.column, (Entries{1, 3, 3, 3, 2, 2, 2, 2, 0, 1, 1, 1, 3, 3, 3, 3}));
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

TEST(OperatorTables, EveryOperatorIsAppliedSomewhere) {
  std::string applied;
  for (const ArrayCase& entry : array_cases) applied += std::string(entry.prefix) + " ";
  for (const PartialCase& entry : partial_cases) applied += std::string(entry.prefix) + " ";
  applied +=
      "thread_pad warp_diagonals block_pad warp_pad interleave stage_x compact global_store "
      "global_add "
      "global_atomic global_carry launch ";
  applied += "warp_bands thread_bands ";  // in bands_test.cpp
  for (const Operator* op : catalogue()) {
    if (op->branches) continue;  // in branch_tables_test.cpp
    EXPECT_NE(applied.find(std::string(op->name) + " "), std::string::npos) << op->name;
  }
}

/// An operator's declarations about keys are true: provided keys are there, keys that are neither
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
      "compress | warp_rows rows=2 | thread_rows rows=1 | warp_diagonals | interleave | "
      "thread_total",
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
