// bands: rows of dense blocks a thread - the cuts, their layout, and reasons of a refusal.
#include <gtest/gtest.h>

#include "generator/arrays/fragment.h"
#include "generator/facts/contract.h"
#include "generator/facts/layout.h"
#include "generator/layouts/layout_contract.h"
#include "generator/layouts/positions.h"
#include "operators/designer.h"
#include "tests/support/battery.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

using Entries = std::vector<std::int32_t>;

#define REST " { compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=64 }"
#define SUMS " | thread_total | global_store | launch threads=64 }" REST

/// In blocks of 2 x 2: a block in columns 0 and 1 and one that hangs over the right edge, a band
/// without any, and a band of one row.
/// x x . . .
/// . x . . x
/// . . . . .
/// . . . . .
/// . . x . .
const Matrix edges = pattern(5, {{0, 1}, {1, 4}, {}, {}, {2}});

/// Bands of 1, 2 and 3 blocks of 2 x 2, the last of which has one row.
const Matrix growing = pattern(6, {{0}, {1}, {0, 2}, {3}, {0, 2, 4}});

/// Two blocks of 2 x 2 without a gap.
const Matrix full = pattern(4, {{0, 1}, {0, 1}, {2, 3}, {2, 3}});

Result<Store> first_branch(const Matrix& matrix, const std::string& design,
                           Target target = Target::gpu) {
  Result<std::vector<Store>> stores = Designer(matrix, target).branches(*parse_design(design));
  if (!stores) return stores.failure();
  return stores->front();
}

Store blocks_of_two(const Matrix& matrix, const std::string& steps,
                    const std::string& total = "thread_total") {
  const std::string design = "dense_block_peel rows=2 cols=2 share=0 { " + steps + " | " + total +
                             " | global_store | launch threads=64 }" REST;
  Result<Store> store = first_branch(matrix, design);
  EXPECT_TRUE(store.ok()) << store.reason();
  EXPECT_EQ(check_store(*store), "");
  return *store;
}

Layout layout_of(const Store& store) {
  const Result<Layout> layout = assign_positions(store);
  EXPECT_EQ(check_layout(store, *layout), "");
  return *layout;
}

TEST(Bands, AThreadHasTheRowsOfOne) {
  const Store store = blocks_of_two(edges, "warp_bands bands=2 | thread_bands");
  EXPECT_EQ(store.ints({Level::warp, Name::first_row}), (Entries{0, 4, 5}));
  EXPECT_EQ(store.ints({Level::warp, Name::first_child}), (Entries{0, 2, 3}));
  EXPECT_EQ(store.ints({Level::thread, Name::first_row}), (Entries{0, 2, 4, 5}));
  EXPECT_EQ(store.ints({Level::thread, Name::first_nz}), (Entries{0, 8, 8, 10}));
  EXPECT_EQ(store.layout, LayoutChoice(Bands{store.blocks}));
  EXPECT_EQ(store.partial.shape, Shape::done);
  EXPECT_EQ(store.partial.owner, Worker::thread);
}

TEST(Bands, AreReadBlockByBlock) {
  const Layout layout = layout_of(blocks_of_two(edges, "thread_bands"));
  EXPECT_EQ(layout.first_entry, (Entries{0, 8, 8, 12}));
  EXPECT_EQ(layout.value_source, (Entries{0, 1, -1, 2, -1, -1, -1, 3, 4, -1, -1, -1}));
  EXPECT_EQ(layout.blocks->first_col, (Entries{0, 3, 2}));  // the second one would end behind x
  EXPECT_EQ(layout.blocks->bits, (std::vector<std::uint32_t>{0b1011, 0b1000, 0b0001}));
}

TEST(Bands, LieTransposedPlaceByPlace) {
  const Layout layout = layout_of(
      blocks_of_two(edges, "warp_bands bands=2 | thread_bands | thread_pad | interleave"));
  EXPECT_EQ(layout.stride, 32);
  EXPECT_EQ(layout.first_entry, (Entries{0, 2 * 4 * 32, 3 * 4 * 32}));
  const auto places = [&](int block) {
    Entries of;
    for (int place = 0; place < 4; ++place) {
      of.push_back(layout.value_source[block * 4 * 32 + place * 32]);
    }
    return of;
  };
  EXPECT_EQ(places(0), (Entries{0, 1, -1, 2}));
  EXPECT_EQ(places(1), (Entries{-1, -1, -1, 3}));
  EXPECT_EQ(places(2), (Entries{4, -1, -1, -1}));
  const auto columns = [&](int lane) {
    const Entries& of = layout.blocks->first_col;
    return Entries{of[lane], of[32 + lane], of[64 + lane]};
  };
  EXPECT_EQ(columns(0), (Entries{0, 3, 2}));
  EXPECT_EQ(columns(1), (Entries{0, 0, 0}));  // pads of a band without blocks
}

std::string on_cpu(const std::string& shape, const std::string& steps) {
  return "dense_block_peel " + shape + " share=0 { " + steps +
         " | thread_total | global_store | launch tasks=bytes } { compress | thread_nnz nnz=1 | "
         "thread_total | global_atomic | launch tasks=bytes }";
}

TEST(Bands, LieTransposedRunByRun) {
  const Result<Store> store =
      first_branch(edges,
                   on_cpu("rows=2 cols=2",
                          "warp_bands bands=8 | thread_bands | thread_pad | interleave run=cols"),
                   Target::cpu);
  ASSERT_TRUE(store.ok()) << store.reason();
  EXPECT_EQ(store->chain().front().fragment->name, "thread_total_band_runs_gaps");
  const Layout layout = layout_of(*store);
  ASSERT_EQ(layout.stride, 4);
  const auto row = [&](int block, int r, int lane) {
    const auto at = layout.value_source.begin() + ((2 * block + r) * 4 + lane) * 2;
    return Entries{at[0], at[1]};
  };
  EXPECT_EQ(row(0, 0, 0), (Entries{0, 1}));
  EXPECT_EQ(row(0, 1, 0), (Entries{-1, 2}));
  EXPECT_EQ(row(1, 1, 0), (Entries{-1, 3}));
  EXPECT_EQ(row(0, 0, 2), (Entries{4, -1}));
  const Entries& columns = layout.blocks->first_col;
  EXPECT_EQ((Entries{columns[0], columns[4], columns[2]}), (Entries{0, 3, 2}));
}

/// A row of a block may hold several runs, which lie one behind the other.
TEST(Bands, HoldSeveralRunsInARow) {
  const Result<Store> store = first_branch(
      edges,
      on_cpu("rows=2 cols=4", "warp_bands bands=8 | thread_bands | thread_pad | interleave run=2"),
      Target::cpu);
  ASSERT_TRUE(store.ok()) << store.reason();
  EXPECT_EQ(store->chain().front().fragment->name, "thread_total_band_runs_gaps");
  const Layout layout = layout_of(*store);
  EXPECT_EQ(check_layout(*store, layout), "");
  const int stride = layout.stride;
  const auto run = [&](int row, int number, int lane) {
    const auto at = layout.value_source.begin() + ((2 * row + number) * stride + lane) * 2;
    return Entries{at[0], at[1]};
  };
  EXPECT_EQ(layout.blocks->first_col[0], 0);
  EXPECT_EQ(run(0, 0, 0), (Entries{0, 1}));
  EXPECT_EQ(run(0, 1, 0), (Entries{-1, -1}));
  EXPECT_EQ(run(1, 0, 0), (Entries{-1, 2}));
}

/// A GPU's run may have values of several rows: each load brings as many.
TEST(Bands, LieTransposedByTheValuesOfALoad) {
  const Store store =
      blocks_of_two(edges, "warp_bands bands=2 | thread_bands | thread_pad | interleave run=4",
                    "thread_total vector=4");
  EXPECT_EQ(store.chain().front().fragment->name, "thread_total_band_wide_gaps");
  const Layout layout = layout_of(store);
  EXPECT_EQ(layout.stride, 32);
  const auto places = [&](int block, int lane) {
    const auto at = layout.value_source.begin() + (block * 32 + lane) * 4;
    return Entries{at, at + 4};
  };
  EXPECT_EQ(places(0, 0), (Entries{0, 1, -1, 2}));
  EXPECT_EQ(places(1, 0), (Entries{-1, -1, -1, 3}));
  EXPECT_EQ(places(2, 0), (Entries{4, -1, -1, -1}));
  const Store full_blocks = blocks_of_two(full, "thread_bands", "thread_total vector=4");
  EXPECT_EQ(full_blocks.chain().front().fragment->name, "thread_total_band_wide");
}

TEST(Bands, BeginAtEntries) {
  const Store store =
      *first_branch(edges, "dense_block_peel rows=2 cols=2 share=0 from=entry { thread_bands" SUMS);
  EXPECT_EQ(check_store(store), "");
  const Layout layout = layout_of(store);
  // Columns 0 and 1; then 4, where the block would end behind x; and column 2.
  EXPECT_EQ(layout.blocks->first_col, (Entries{0, 3, 2}));
  const Store odd = *first_branch(
      growing, "dense_block_peel rows=1 cols=2 share=0 from=entry { thread_bands" SUMS);
  EXPECT_EQ(layout_of(odd).blocks->first_col, (Entries{0, 1, 0, 2, 3, 0, 2, 4}));
}

TEST(Bands, AreRefusedRunsOnCpusWhereNoRegisterHoldsThem) {
  const auto reason = [](const Matrix& matrix, const char* shape, const std::string& run = "cols") {
    const std::string steps = "thread_bands | thread_pad | interleave run=" + run;
    const Result<Store> store = first_branch(matrix, on_cpu(shape, steps), Target::cpu);
    return store.ok() ? "" : store.reason();
  };
  EXPECT_EQ(
      reason(edges, "rows=2 cols=3"),
      "branch 1: interleave: the width of a block is 3, no power of two from 2 on; use run=1");
  EXPECT_EQ(
      reason(edges, "rows=2 cols=1"),
      "branch 1: interleave: the width of a block is 1, no power of two from 2 on; use run=1");
  EXPECT_EQ(
      reason(edges, "rows=2 cols=8"),  // of 5 columns
      "branch 1: interleave: the width of a block is 5, no power of two from 2 on; use run=1");
  EXPECT_EQ(reason(edges, "rows=2 cols=4"), "");
  EXPECT_EQ(reason(edges, "rows=2 cols=4", "2"), "");
  EXPECT_EQ(reason(edges, "rows=2 cols=4", "4"), "");
  EXPECT_EQ(reason(edges, "rows=2 cols=3", "2"),
            "branch 1: interleave: a block of 3 columns has no whole runs of 2; use run=1");
  EXPECT_EQ(reason(edges, "rows=2 cols=2", "4"),
            "branch 1: interleave: a block of 2 columns has no whole runs of 4; use run=2");
}

TEST(Bands, HaveNoBitsWhereNothingIsMissing) {
  const Store store = blocks_of_two(full, "thread_bands | thread_pad | interleave");
  EXPECT_TRUE(layout_of(store).blocks->bits.empty());
  EXPECT_EQ(store.chain().front().fragment->name, "thread_total_band");
  const Store gaps = blocks_of_two(edges, "thread_bands | thread_pad | interleave");
  EXPECT_EQ(gaps.chain().front().fragment->name, "thread_total_band_gaps");
}

TEST(Bands, StayTogetherWhereRowsAreSorted) {
  const Key origin{Level::matrix, Name::row_origin};
  EXPECT_EQ(blocks_of_two(growing, "sort_rows | thread_bands").ints(origin),
            (Entries{2, 3, 0, 1, 4}));
  // Bands of 3 rows are rounded up to two bands.
  EXPECT_EQ(blocks_of_two(growing, "sort_rows_in_bands rows=3 | thread_bands").ints(origin),
            (Entries{2, 3, 0, 1, 4}));
}

struct RefusedBands {
  const char* design;
  const char* reason;
  const Matrix& matrix = edges;
};

#define BLOCKS(shape, steps) "dense_block_peel " shape " share=0 { " steps SUMS

const RefusedBands refused_bands[] = {
    {BLOCKS("rows=2 cols=2", "warp_rows rows=3 | thread_bands"),
     "thread_bands: a warp begins inside a band of 2 rows; cut it by whole bands"},
    {BLOCKS("rows=2 cols=2", "block_rows rows=1 | warp_bands bands=1 | thread_bands"),
     "warp_bands: a block begins inside a band of 2 rows; cut it by whole bands"},
    {BLOCKS("rows=9 cols=2", "thread_bands"),
     "thread_bands: a thread keeps 8 sums at most, but bands have 9 rows"},
    {BLOCKS("rows=6 cols=6", "thread_bands"),
     "thread_bands: blocks of 6 x 6 have more places than a word has bits"},
    {"symmetric_half | dense_block_peel rows=2 cols=2 share=0 { thread_bands | thread_total | "
     "global_atomic | launch threads=64 }" REST,
     "thread_bands: mirror images are added for single entries, but a band has blocks", mirror},
    {BLOCKS("rows=3 cols=3", "thread_bands | thread_pad | interleave run=2"),
     "interleave: the 9 values of a block are no multiple of 2; use run=1"},
    {BLOCKS("rows=3 cols=2", "thread_bands | thread_pad | interleave run=4"),
     "interleave: the 6 values of a block are no multiple of 4; use run=1"},
    {BLOCKS("rows=2 cols=3", "thread_bands | thread_pad | interleave run=cols"),
     "interleave: a thread loads 2 or 4 values at once, but a row of a block has 3; use run=1"},
    {BLOCKS("rows=2 cols=3", "thread_bands | thread_total vector=4"),
     "thread_total: the 6 values of a block are no multiple of 4; use vector=1"},
    {"dense_block_peel rows=2 cols=2 share=0 { thread_bands | thread_total vector=2 | global_store "
     "| compact | launch threads=64 }" REST,
     "compact: several values are loaded at once, which codes are not; use values=full"},
    {"dense_block_peel rows=2 cols=2 share=0 { thread_bands | thread_total | global_store | "
     "compact columns=deltas | launch threads=64 }" REST,
     "compact: dense blocks have no column for each entry; use columns=fewest"},
};

TEST(Bands, AreRefusedWithTheReasonThatIsWrittenOut) {
  for (const RefusedBands& entry : refused_bands) {
    const Result<Store> store = first_branch(entry.matrix, entry.design);
    ASSERT_FALSE(store.ok()) << entry.design;
    EXPECT_EQ(store.reason(), std::string("branch 1: ") + entry.reason) << entry.design;
  }
}

TEST(Bands, EachBrokenFactIsNamed) {
  Store store = blocks_of_two(edges, "thread_bands");
  store.blocks.rows = 3;
  EXPECT_EQ(check_store(store),
            "row 2 has 0 positions, but its band has 4, of blocks of 2 columns");
  store = blocks_of_two(full, "thread_bands | thread_pad | interleave");
  store.vector = 2;
  EXPECT_EQ(check_choice(store), "2 values are loaded at once, but runs are of 1");
  store = blocks_of_two(full, "thread_bands");
  store.vector = 3;
  EXPECT_EQ(check_choice(store), "3 values are loaded at once, but a block has 4");
  store = blocks_of_two(full, "thread_rows rows=3");
  store.layout = Bands{store.blocks};
  EXPECT_EQ(check_choice(store), "threads are said to have a band each, but are cut otherwise");
  store.blocks = {};
  EXPECT_EQ(check_choice(store), "threads have bands, but none exist");
}

}  // namespace
}  // namespace alphasparse
