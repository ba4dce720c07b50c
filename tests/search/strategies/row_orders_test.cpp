// row_orders_test: orders of rows are found where neighbours would share far more columns, and only
// there.
#include "search/strategies/row_orders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/random.h"
#include "operators/designer.h"
#include "search/strategies/row_group.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

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

// Their orders and the x that they gather would take more memory than the matrix.
TEST(RowOrders, AreNotLookedForWhereVectorsAreLong) {
  Matrix matrix = shuffled(grid(150), Shuffled::rows_and_columns);
  ASSERT_FALSE(promising_orders(matrix).empty());
  matrix.rows = matrix.cols = 600'000;
  matrix.row_first.resize(static_cast<std::size_t>(matrix.rows) + 1, matrix.row_first.back());
  EXPECT_TRUE(promising_orders(matrix).empty());
}

TEST(RowOrders, PromiseMuchWhereNeighboursWereParted) {
  const Matrix whole = grid(150);
  EXPECT_EQ(promising_orders(shuffled(whole, Shuffled::rows_and_columns)), RowOrders{"rcm"});
  EXPECT_EQ(promising_orders(shuffled(whole, Shuffled::rows)), RowOrders{"columns"});
}

TEST(RowOrders, PromiseNothingWhereNeighboursShareColumnsOrNoneDo) {
  EXPECT_TRUE(promising_orders(grid(150)).empty());
  EXPECT_TRUE(promising_orders(anywhere(20'000, 20'000)).empty());
  EXPECT_TRUE(promising_orders(anywhere(2'000, 40'000)).empty());
}

/// Smaller than a group, without entries, and of many parts.
TEST(RowOrders, PromiseNothingForSmallEmptyAndDiagonalMatrices) {
  for (const Matrix& matrix : {uneven, stairs, empty, mirror, one_row, pattern(9, {{8}, {0, 8}})})
    EXPECT_TRUE(promising_orders(matrix).empty());
  std::vector<std::vector<int>> diagonal;
  for (int row = 0; row < 9000; ++row) diagonal.push_back({row});
  EXPECT_TRUE(promising_orders(pattern(9000, diagonal)).empty());
}

/// Three equal rows have all entries of the group that begins in column 0. Other rows begin farther
/// behind the beginning of any group.
TEST(RowOrders, AreNotToldByAFewRowsThatBeginAlike) {
  const Matrix all = anywhere(20'000, 20'000);
  std::vector<std::vector<int>> rows(20'000);
  for (int row = 0; row < all.rows; ++row) {
    rows[row].assign(all.col.begin() + all.row_first[row],
                     all.col.begin() + all.row_first[row + 1]);
    rows[row].front() = 1'000 + rows[row].front() / 2;
  }
  for (const int row : {0, 8'000, 16'000}) rows[row] = {0, 1, 2, 3};
  EXPECT_TRUE(promising_orders(pattern(20'000, rows)).empty());
}

/// A long row has no more than a group has room for, or eight walks would hold it eight times.
TEST(RowOrders, AreToldByABoundedNumberOfEntries) {
  constexpr int side = 200;
  std::vector<std::vector<int>> rows(side * side);
  const Matrix points = grid(side);
  for (int row = 0; row < points.rows; ++row) {
    rows[row].push_back(0);
    for (int nz = points.row_first[row]; nz < points.row_first[row + 1]; ++nz) {
      if (points.col[nz] > 0) rows[row].push_back(points.col[nz]);
    }
  }
  rows[0].resize(points.cols);
  std::iota(rows[0].begin(), rows[0].end(), 0);
  const Matrix matrix = shuffled(pattern(side * side, rows), Shuffled::rows_and_columns);
  const auto long_row =
      static_cast<std::int32_t>(std::adjacent_find(matrix.row_first.begin(), matrix.row_first.end(),
                                                   [](std::int32_t first, std::int32_t end) {
                                                     return end - first > RowGroup::entries_most;
                                                   }) -
                                matrix.row_first.begin());
  RowGroup group;
  group.add(matrix, long_row == 0 ? 1 : long_row - 1);
  EXPECT_FALSE(group.is_full());
  group.add(matrix, long_row);
  EXPECT_TRUE(group.is_full());
  EXPECT_EQ(group.entries(), RowGroup::entries_most);
  EXPECT_LE(group.columns(), RowGroup::entries_most);
  EXPECT_TRUE(promising_orders(matrix).empty()) << "the full row brings any two rows together";
}

/// Rows of twelve columns of a narrow matrix, those of neighbours moved on by one.
Matrix tall(int rows, int cols) {
  std::vector<std::vector<int>> columns;
  for (int row = 0; row < rows; ++row) {
    const int first = static_cast<int>(std::int64_t{row} * (cols - 12) / rows);
    columns.emplace_back(12);
    std::iota(columns.back().begin(), columns.back().end(), first);
  }
  return pattern(cols, columns);
}

TEST(RowOrders, AreThoseOfDesignsThatApply) {
  for (const auto& [parted, orders] :
       {std::pair(shuffled(grid(150), Shuffled::rows_and_columns), RowOrders{"rcm"}),
        std::pair(shuffled(grid(150), Shuffled::rows), RowOrders{"columns"}),
        std::pair(shuffled(tall(20'000, 9'000), Shuffled::rows), RowOrders{"columns"})}) {
    ASSERT_EQ(promising_orders(parted), orders);
    for (const Target target : {Target::gpu, Target::cpu}) {
      const Designs designs = reordered_designs(orders, target);
      EXPECT_GE(designs.size(), 2u);
      Designer designer(parted, target);
      for (const CanonicalDesign& design : designs) {
        const auto built = designer.build_whole(design, Dtype::f32);
        ASSERT_TRUE(built.ok()) << design.text() << ": " << built.reason();
        EXPECT_EQ(built->kernel.target, target);
      }
    }
  }
  EXPECT_TRUE(reordered_designs({}, Target::gpu).empty());
}

/// Of a large matrix only these are tried early.
TEST(RowOrders, HaveOneDesignEachBeforeTheSecondOfAny) {
  const RowOrders orders = {"rcm", "columns"};
  for (const Target target : {Target::gpu, Target::cpu}) {
    const Designs designs = reordered_designs(orders, target);
    ASSERT_GE(designs.size(), 4u);
    for (std::size_t i = 0; i < designs.size(); ++i)
      EXPECT_TRUE(designs[i].text().starts_with("reorder by=" + orders[i % 2])) << i;
  }
}

}  // namespace
}  // namespace alphasparse
