// mix: rows in blocks of neighbouring columns and single entries - how they are found, sorted and
// stored, the contract of that, and every reason of a refusal.
#include <gtest/gtest.h>

#include <functional>

#include "generator/facts/contract.h"
#include "generator/facts/layout.h"
#include "generator/layouts/layout_contract.h"
#include "generator/layouts/layout_kind.h"
#include "generator/layouts/positions.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "tests/support/battery.h"
#include "tests/support/design_steps.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

using Entries = std::vector<std::int32_t>;
using Bits = std::vector<std::uint32_t>;

/// a b . . c . .
/// . . d . . . e
/// . . . . . . .
/// . . . f g h i
const Matrix four_rows = pattern(7, {{0, 1, 4}, {2, 6}, {}, {3, 4, 5, 6}});

const std::string sliced =
    " | warp_rows rows=8 | thread_rows rows=1 | thread_pad | interleave | thread_total | "
    "global_store | launch tasks=bytes";

Store mixed(const Matrix& matrix, const std::string& compress) {
  const Result<Store> store = apply_steps(matrix, compress + sliced);
  EXPECT_TRUE(store.ok()) << store.reason();
  EXPECT_EQ(check_store(*store), "");
  return *store;
}

Layout mix_layout(const Store& store) {
  const Result<Layout> layout = assign_positions(store);
  EXPECT_EQ(check_layout(store, *layout), "");
  return *layout;
}

/// Of the blocks of lane `lane` of a single warp, whose gang has `lanes`.
template <class Of>
std::vector<Of> blocks_of_lane(const std::vector<Of>& all, std::size_t lane, std::size_t lanes) {
  std::vector<Of> own;
  for (std::size_t block = lane; block < all.size(); block += lanes) own.push_back(all[block]);
  return own;
}

TEST(Mix, HasBlocksAndBehindThemSingleEntries) {
  const Layout layout = mix_layout(mixed(four_rows, "compress blocks=2 share=100"));
  EXPECT_EQ(layout.stride, 4);
  EXPECT_EQ(layout.first_entry, (Entries{0, 2 * 4 * 2 + 2 * 4}));
  const auto at = [&](std::initializer_list<int> positions) {
    std::vector<std::pair<int, int>> of;
    for (const int p : positions) of.emplace_back(layout.value_source[p], layout.column[p]);
    return of;
  };
  using Places = std::vector<std::pair<int, int>>;
  EXPECT_EQ(at({0, 1, 8, 9, 16, 20}), (Places{{0, 0}, {1, 1}, {-1, 4}, {-1, 4}, {2, 4}, {-1, 4}}));
  EXPECT_EQ(at({2, 3, 17, 21}), (Places{{-1, 6}, {-1, 6}, {3, 2}, {4, 6}}));
  EXPECT_EQ(at({4, 5, 18}), (Places{{-1, 0}, {-1, 0}, {-1, 0}}));
  EXPECT_EQ(at({6, 7, 14, 15, 19}), (Places{{5, 3}, {6, 4}, {7, 5}, {8, 6}, {-1, 6}}));
  EXPECT_EQ(blocks_of_lane(layout.blocks->first_col, 0, 4), (Entries{0, 0}));
  EXPECT_EQ(blocks_of_lane(layout.blocks->first_col, 3, 4), (Entries{3, 5}));
  EXPECT_EQ(blocks_of_lane(layout.blocks->bits, 0, 4), (Bits{3, 0}));
  EXPECT_EQ(blocks_of_lane(layout.blocks->bits, 3, 4), (Bits{3, 3}));
  EXPECT_EQ(layout.empty_lanes, (Bits{0b100}));
}

TEST(Mix, ABlockAtTheRightEdgeBeginsEarlier) {
  const Layout layout = mix_layout(mixed(pattern(7, {{1, 5, 6}, {6}}), "compress blocks=4"));
  EXPECT_EQ(blocks_of_lane(layout.blocks->first_col, 0, 4), (Entries{3}));
  EXPECT_EQ(blocks_of_lane(layout.blocks->bits, 0, 4), (Bits{0b1100}));
  EXPECT_EQ(blocks_of_lane(layout.blocks->bits, 1, 4), (Bits{0}));
  const Layout ones = mix_layout(mixed(pattern(7, {{1, 5, 6}, {6}}), "compress blocks=4 share=25"));
  EXPECT_EQ(blocks_of_lane(ones.blocks->first_col, 1, 4), (Entries{3, 3}));
  EXPECT_EQ(blocks_of_lane(ones.blocks->bits, 1, 4), (Bits{0b1000, 0}));
}

TEST(Mix, BlocksAreNoWiderThanTheMatrix) {
  const Matrix narrow = pattern(3, {{0, 1, 2}, {2}});
  const Store store = mixed(narrow, "compress blocks=8 share=25");
  EXPECT_EQ(layout_kind(store).reads(store).cols, 2);
  EXPECT_EQ(blocks_of_lane(mix_layout(store).blocks->first_col, 0, 2), (Entries{0}));
  const Layout column = mix_layout(mixed(pattern(1, {{0}, {}}), "compress blocks=2 share=25"));
  EXPECT_TRUE(column.blocks->first_col.empty());
  EXPECT_EQ(column.value_source[0], 0);
}

TEST(Mix, RowsAreSortedByTheirBlocks) {
  const Matrix matrix = pattern(9, {{0, 2, 4, 6, 8}, {0, 1}, {0, 1, 3}, {0, 1, 3, 4}});
  const Key origin{Level::matrix, Name::row_origin};
  const Store by_length = mixed(matrix, "sort_rows | compress blocks=2 share=100");
  EXPECT_EQ(by_length.ints(origin), (Entries{0, 3, 2, 1}));
  const Store by_blocks = mixed(matrix, "compress blocks=2 share=100 | sort_rows");
  EXPECT_EQ(by_blocks.ints(origin), (Entries{3, 2, 1, 0}));
  EXPECT_EQ(by_blocks.layout, LayoutChoice((Mix{2, 2, true, true})));
}

TEST(Mix, IsRightOnTheBattery) {
  for (const NamedMatrix& entry : battery()) {
    for (const char* const compress :
         {"compress blocks=2", "compress blocks=4", "compress blocks=8 share=25"}) {
      SCOPED_TRACE(entry.name + ", " + compress);
      mix_layout(mixed(entry.matrix, compress));
    }
  }
}

/// Pads of single entries meet the x of their row, and no pad of a block does.
TEST(Mix, PadsAreListed) {
  const Store store = mixed(four_rows, "compress blocks=2 share=100");
  std::vector<std::pair<int, int>> pads;
  layout_kind(store).pads(store, [&](const PadRead& pad) {
    pads.emplace_back(pad.row, pad.column);
    return false;
  });
  EXPECT_EQ(pads, (std::vector<std::pair<int, int>>{{0, 4}, {3, 6}}));
}

struct RefusedMix {
  const char* design;
  const char* reason;
};

#define MIX_SUMS " | thread_total | global_store | launch tasks=bytes"
#define MIX_ROWS "compress blocks=4 | warp_rows rows=8 | thread_rows rows=1 | "

const RefusedMix refused_mixes[] = {
    {"compress share=75 | thread_rows rows=1" MIX_SUMS,
     "compress: share= is of a block, but blocks=1 has none; leave it out"},
    {"compress blocks=4 | thread_cols lanes=4" MIX_SUMS,
     "thread_cols: the rows lie in blocks and single entries; cut whole rows"},
    {"compress blocks=4 | thread_nnz nnz=4" MIX_SUMS,
     "thread_nnz: the rows lie in blocks and single entries; cut whole rows"},
    {"compress blocks=4 | thread_rows rows=2" MIX_SUMS,
     "thread_rows: a thread has the blocks of one row; use rows=1"},
    {"compress blocks=4 | thread_rows rows=1 | thread_pad" MIX_SUMS,
     "thread_pad: the rows lie in no warps, which blocks are padded for; put warp_rows before "
     "thread_rows"},
    {"compress blocks=4 | thread_rows rows=1 | warp_diagonals" MIX_SUMS,
     "warp_diagonals: the rows lie in no warps, which blocks are padded for; put warp_rows before "
     "thread_rows"},
    {MIX_ROWS "warp_diagonals" MIX_SUMS, "warp_diagonals: the rows lie in blocks; use thread_pad"},
    {MIX_ROWS "thread_pad length=own" MIX_SUMS,
     "thread_pad: the blocks of a warp are read to the last of them; use length=longest"},
    {MIX_ROWS "thread_pad multiple=2" MIX_SUMS,
     "thread_pad: blocks have their own multiples; use multiple=1"},
    {MIX_ROWS "thread_pad | warp_pad" MIX_SUMS,
     "warp_pad: warps have blocks and single entries, whose numbers both differ; leave it out"},
    {MIX_ROWS "interleave" MIX_SUMS,
     "interleave: rows have different numbers of blocks; put thread_pad before it"},
    {MIX_ROWS "thread_pad | interleave by=ragged" MIX_SUMS,
     "interleave: blocks and single entries lie side by side; use by=equal and run=1"},
    {MIX_ROWS "thread_pad" MIX_SUMS,
     "thread_total: the blocks of a warp's rows lie apart; put thread_pad and interleave before "
     "it"},
    {MIX_ROWS "thread_pad | interleave | thread_total sums=2 | global_store | launch tasks=bytes",
     "thread_total: the values of a row block are added one by one; use sums=1"},
    {MIX_ROWS
     "thread_pad | interleave | thread_total | global_store | compact columns=deltas | launch "
     "tasks=bytes",
     "compact: blocks have no column for each entry; use columns=fewest"},
    {"compress blocks=4 | ell_peel width=2 { thread_rows rows=1" MIX_SUMS " } { thread_nnz nnz=1 | "
     "thread_total | global_atomic | launch tasks=bytes }",
     "ell_peel: the rows lie in blocks already; put it before compress"},
    {"bitmap_block_peel cols=4 share=0 { compress blocks=4 | thread_rows rows=1" MIX_SUMS
     " } { compress | thread_nnz nnz=1 | thread_total | global_atomic | launch tasks=bytes }",
     "branch 1: compress: bitmap blocks cannot be split again"},
    {"compress blocks=4 | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave | "
     "thread_total | global_store | launch threads=64",
     "compress: blocks= is a CPU's; leave it out"},
};

TEST(Mix, IsRefusedWithTheReasonThatIsWrittenOut) {
  for (const RefusedMix& entry : refused_mixes) {
    const Result<std::vector<Store>> stores =
        Designer(four_rows).branches(*parse_design(entry.design));
    ASSERT_FALSE(stores.ok()) << entry.design;
    EXPECT_EQ(stores.reason(), entry.reason) << entry.design;
  }
}

TEST(Mix, EachMisfitIsNamed) {
  Store store = *apply_steps(four_rows,
                             "compress | thread_rows rows=1 | thread_total | "
                             "global_store | launch tasks=bytes");
  store.layout = Mix{};
  EXPECT_EQ(check_choice(store), "");
  store.layout = Mix{4, 2, true, false};
  EXPECT_EQ(check_choice(store), "blocks are padded for warps, but the threads lie in none");
  store = *apply_steps(four_rows,
                       "compress | thread_nnz nnz=2 | thread_bitmap | global_atomic | "
                       "launch tasks=bytes");
  store.layout = Mix{};
  EXPECT_EQ(check_choice(store), "rows lie in blocks, but threads have other parts of the matrix");
}

TEST(Mix, IsANameOnCpusAlone) {
  EXPECT_THROW(resolve_design("mix", Target::gpu), Error);
  EXPECT_TRUE(resolve_design("mix", Target::cpu).starts_with("compress blocks=4 | "));
}

}  // namespace
}  // namespace alphasparse
