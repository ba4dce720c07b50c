// row_orders_test: orders of rows are found where neighbours would share far more columns, and only
// there.
#include "search/strategies/row_orders.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "operators/designer.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

using Orders = std::vector<std::string>;

/// A 9-point stencil of side x side points.
Matrix grid(int side) {
  std::vector<std::vector<int>> rows;
  for (int point = 0; point < side * side; ++point) {
    rows.emplace_back();
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x) {
        const int row = point / side + y, col = point % side + x;
        const bool is_inside = row >= 0 && row < side && col >= 0 && col < side;
        if (is_inside) rows.back().push_back(row * side + col);
      }
    }
  }
  return pattern(side * side, rows);
}

/// Rows without anything in common.
Matrix anywhere(int rows, int cols) {
  Random random(3);
  std::vector<std::vector<int>> columns(static_cast<std::size_t>(rows));
  for (std::vector<int>& row : columns) {
    for (int part = 0; part < 8; ++part) row.push_back(part * (cols / 8) + random.below(cols / 8));
  }
  return pattern(cols, columns);
}

TEST(RowOrders, PromiseMuchWhereNeighboursWereParted) {
  const Matrix whole = grid(150);
  EXPECT_EQ(promising_orders(shuffled(whole, Shuffled::rows_and_columns)), Orders{"rcm"});
  EXPECT_EQ(promising_orders(shuffled(whole, Shuffled::rows)), Orders{"columns"});
}

TEST(RowOrders, PromiseNothingWhereNeighboursShareColumnsOrNoneDo) {
  EXPECT_TRUE(promising_orders(grid(150)).empty());
  EXPECT_TRUE(promising_orders(anywhere(20'000, 20'000)).empty());
  EXPECT_TRUE(promising_orders(anywhere(2'000, 40'000)).empty());
}

/// Smaller than a group, without entries, and of many parts.
TEST(RowOrders, AreFoundForAnyMatrix) {
  for (const Matrix& matrix : {uneven, stairs, empty, mirror, one_row, pattern(9, {{8}, {0, 8}})})
    EXPECT_TRUE(promising_orders(matrix).empty());
  std::vector<std::vector<int>> diagonal;
  for (int row = 0; row < 9000; ++row) diagonal.push_back({row});
  EXPECT_TRUE(promising_orders(pattern(9000, diagonal)).empty());
}

TEST(RowOrders, AreThoseOfDesignsThatApply) {
  const Matrix parted = shuffled(grid(150), Shuffled::rows_and_columns);
  for (const Target target : {Target::cuda, Target::cpu}) {
    const Designs designs = reordered_designs(parted, target);
    EXPECT_GE(designs.size(), 2u);
    Designer designer(parted, target);
    for (const CanonicalDesign& design : designs) {
      const auto built = designer.build_whole(design, Dtype::f32);
      ASSERT_TRUE(built.ok()) << design.text() << ": " << built.reason();
      EXPECT_EQ(built->kernel.target, target);
    }
    EXPECT_TRUE(reordered_designs(grid(150), target).empty());
  }
}

}  // namespace
}  // namespace alphasparse
