// packed_columns: the arrays in the place of column indices, worked out by hand. They are the bits
// of bitmap blocks, and places in a block's slice of x.
#include <gtest/gtest.h>

#include "generator/layouts/positions.h"
#include "generator/layouts/staged_x.h"
#include "operators/designer.h"
#include "tests/support/battery.h"
#include "tests/support/design_steps.h"

namespace alphasparse {
namespace {

using Entries = std::vector<std::int32_t>;
using Words = std::vector<std::uint32_t>;

#define LEAF "{ compress | thread_rows rows=1 | thread_total | global_add | launch threads=32 }"

/// Rows 0, 1, 5 and 9 of ten have entries; ten columns.
///   row 0: 4 6      row 1: 0 5      row 5: 1 9      row 9: 8
const Matrix& columns_matrix() {
  static const Matrix built = from_rows(10, {{{4, 1.}, {6, 2.}},
                                             {{0, 3.}, {5, 4.}},
                                             {},
                                             {},
                                             {},
                                             {{1, 5.}, {9, 6.}},
                                             {},
                                             {},
                                             {},
                                             {{8, 7.}}});
  return built;
}

Bitmap bitmap(const std::string& cols) {
  const std::string line = "bitmap_block_peel cols=" + cols + " share=0 " LEAF LEAF;
  const auto stores = Designer(columns_matrix()).branches(*parse_design(line));
  EXPECT_TRUE(stores.ok()) << (stores.ok() ? "" : stores.reason());
  return *assign_positions(stores->front())->bitmap;
}

TEST(Bitmap, EightByFour) {
  const Bitmap made = bitmap("4");
  // Blocks of the first band begin at columns 0, 4 and 8, that of the second at 8.
  EXPECT_EQ(made.band_first, (Entries{0, 3, 4}));
  EXPECT_EQ(made.first_col, (Entries{0, 4, 8, 8}));
  // row 1 column 0 and row 5 column 1; row 0 columns 4, 6 and row 1 column 5; row 5 column 9; row 9
  EXPECT_EQ(made.bits, (Words{1u << 4 | 1u << 21, 1u << 0 | 1u << 2 | 1u << 5, 1u << 21, 1u << 4}));
  EXPECT_EQ(made.first_entry, (Entries{0, 2, 5, 6}));
  EXPECT_EQ(made.order, (Entries{2, 4, 0, 1, 3, 5, 6}));
}

TEST(Bitmap, EightByEightHasTwoWordsABlock) {
  const Bitmap made = bitmap("8");
  EXPECT_EQ(made.band_first, (Entries{0, 2, 3}));
  EXPECT_EQ(made.first_col, (Entries{0, 8, 8}));
  const std::uint32_t upper = 1u << 4 | 1u << 6 | 1u << 8 | 1u << 13;  // rows 0 and 1
  EXPECT_EQ(made.bits, (Words{upper, 1u << 9, 0, 1u << 9, 1u << 8, 0}));
  EXPECT_EQ(made.first_entry, (Entries{0, 4, 5, 5, 6, 7}));
  EXPECT_EQ(made.order, (Entries{0, 1, 2, 3, 4, 5, 6}));
}

struct Slices : StagedColumns {
  Entries column;  ///< place of each entry's column
};

Slices slices(const std::string& columns) {
  const Matrix& matrix = columns_matrix();
  Store store = *apply_steps(
      matrix, "compress | block_rows rows=4 | stage_x columns=" + columns +
                  " | thread_rows rows=1 | thread_total | global_store | launch threads=32");
  const Entries before = store.ints({Level::matrix, Name::nz_col});
  Staged made = stage(store);
  Entries column = assign_positions(made.store)->column;
  const StagedColumns kept = made.slices;
  unstage(made, store);
  EXPECT_EQ(store.ints({Level::matrix, Name::nz_col}), before);
  return {kept, std::move(column)};
}

TEST(StagedX, ARangeIsFromTheLeastColumnToTheGreatest) {
  const Slices made = slices("range");
  EXPECT_EQ(made.first_col, (Entries{0, 1, 8}));
  EXPECT_EQ(made.size, (Entries{7, 9, 1}));
  EXPECT_EQ(made.most, 9);
  EXPECT_EQ(made.column, (Entries{4, 6, 0, 5, 0, 8, 0}));
}

TEST(StagedX, AListHasTheColumnsOfTheBlock) {
  const Slices made = slices("listed");
  EXPECT_EQ(made.first, (Entries{0, 4, 6, 7}));
  EXPECT_EQ(made.cols, (Entries{0, 4, 5, 6, 1, 9, 8}));
  EXPECT_EQ(made.most, 4);
  EXPECT_EQ(made.column, (Entries{1, 3, 0, 2, 0, 1, 0}));
}

TEST(StagedX, ASliceThatSharedMemoryDoesNotHoldIsRefused) {
  std::vector<std::vector<std::pair<int, double>>> rows{{{0, 1.}, {20'000, 2.}}};
  const Result<Kernel> kernel =
      Designer(from_rows(20'001, rows))
          .build(
              "compress | block_rows rows=4 | stage_x | thread_rows rows=1 | thread_total | "
              "global_store | launch threads=32",
              Dtype::f32);
  ASSERT_FALSE(kernel.ok());
  EXPECT_EQ(kernel.reason(), "a block needs 80004 bytes of shared memory, it may have 49152");
}

}  // namespace
}  // namespace alphasparse
