// run_shapes: blocks that begin at any entry are proposed where the entries of a matrix fill them.
#include "search/strategies/run_shapes.h"

#include <gtest/gtest.h>

#include "operators/named_designs.h"
#include "search/strategies/lists.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

/// Rows 2k and 2k + 1 have `width` neighbours from an odd column on.
Matrix of_blocks(int rows, int width) {
  std::vector<std::vector<int>> columns(static_cast<std::size_t>(rows));
  for (int row = 0; row < rows; ++row) {
    for (int c = 0; c < width; ++c) columns[row].push_back(1 + row / 2 * 3 + c);
  }
  return pattern(rows * 2 + width + 8, columns);
}

/// Rows of which no two entries are near each other.
Matrix of_single_entries(int rows) {
  std::vector<std::vector<int>> columns(static_cast<std::size_t>(rows));
  for (int row = 0; row < rows; ++row) columns[row] = {row % 7 * 20, 200 + row % 5 * 30};
  return pattern(400, columns);
}

std::vector<std::string> shapes_of(const Matrix& matrix, Dtype dtype) {
  std::vector<std::string> shapes;
  for (const CanonicalDesign& design : run_designs(matrix, dtype)) {
    const std::string text = design.text();
    const std::size_t at = text.find("rows="), end = text.find(" share");
    shapes.push_back(text.substr(at, end - at));
  }
  return shapes;
}

TEST(RunShapes, CountGreedyBlocks) {
  // Columns 1 2, 4 of a row: blocks of 1 x 2 from 1 and from 4; of 1 x 4 from 1 alone.
  const Matrix one = pattern(5, {{1, 2, 4}});
  EXPECT_DOUBLE_EQ(share_of_entries(one, 1, 2), 3.0 / 4);
  EXPECT_DOUBLE_EQ(share_of_entries(one, 1, 4), 3.0 / 4);
  // A band of three rows, of which two are there.
  EXPECT_DOUBLE_EQ(share_of_entries(pattern(5, {{0, 1}, {1}}), 3, 2), 3.0 / 6);
  EXPECT_DOUBLE_EQ(share_of_entries(pattern(5, {{}, {}}), 2, 2), 0);
}

TEST(RunShapes, AreThoseThatEntriesFill) {
  const std::vector<std::string> wide = {"rows=2 cols=2", "rows=2 cols=4", "rows=3 cols=4",
                                         "rows=1 cols=4", "rows=3 cols=2", "rows=1 cols=8"};
  EXPECT_EQ(shapes_of(of_blocks(60, 8), Dtype::f32), wide);
  EXPECT_EQ(shapes_of(of_blocks(60, 2), Dtype::f32),
            (std::vector<std::string>{"rows=2 cols=2", "rows=2 cols=4", "rows=1 cols=4",
                                      "rows=3 cols=2"}));
  EXPECT_TRUE(shapes_of(of_single_entries(60), Dtype::f32).empty());
}

TEST(TriangleShapes, AreThoseOfMatricesWithMirrorImages) {
  const Matrix dense = pattern(4, {{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}});
  const Matrix apart = pattern(9, {{8}, {}, {}, {}, {}, {}, {}, {}, {0}});
  EXPECT_EQ(triangle_designs(dense, Dtype::f64, 1).size(), 7u);  // rows, and all shapes
  EXPECT_EQ(triangle_designs(dense, Dtype::c64, 1).size(), 1u);
  EXPECT_EQ(triangle_designs(dense, Dtype::f64, 4).size(), 1u);
  EXPECT_EQ(triangle_designs(apart, Dtype::f64, 1).size(), 1u);
  EXPECT_TRUE(triangle_designs(of_blocks(60, 8), Dtype::f64, 1).empty());
  EXPECT_TRUE(triangle_designs(pattern(2, {{}, {}}), Dtype::f64, 1).empty());
}

TEST(RunShapes, AreNoneWhereThereAreNoEntries) {
  Matrix without_rows;
  without_rows.cols = 5;
  without_rows.row_first = {0};
  EXPECT_TRUE(run_designs(without_rows, Dtype::f32).empty());
  EXPECT_TRUE(run_designs(pattern(5, {{}, {}}), Dtype::f32).empty());
  const CanonicalDesign runs = CanonicalDesign::read(resolve_design("runs", Target::cpu)).value();
  EXPECT_TRUE(BlockFill(without_rows).are_mostly_pads(runs));
  EXPECT_TRUE(BlockFill(pattern(5, {{}, {}})).are_mostly_pads(runs));
}

/// Half of the places are enough for floats alone.
TEST(RunShapes, WantMoreEntriesOfDoubles) {
  const Matrix half = of_blocks(60, 2);  // in blocks of 1 x 4
  ASSERT_DOUBLE_EQ(share_of_entries(half, 1, 4), 0.5);
  // The same again in narrow gangs, and bsell.
  EXPECT_EQ(shapes_of(half, Dtype::f64),
            (std::vector<std::string>{"rows=2 cols=2", "rows=2 cols=2", "rows=3 cols=3"}));
  for (const std::string& shape : shapes_of(of_blocks(60, 8), Dtype::f64))
    EXPECT_NE(shape, "rows=1 cols=8");
}

TEST(RunShapes, AreAmongTheFirstDesignsOnCpus) {
  StrategiesOptions options;
  const Matrix matrix = of_blocks(60, 4);
  const auto mixed_with_runs = [&](Target target) {
    options.target = target;
    int runs = 0;
    const Designs first = canonical_named_designs(target);
    for (const CanonicalDesign& design : design_lists(matrix, first, options).mixed)
      runs += design.text().starts_with("dense_block_peel") &&
              design.text().find("run=cols") != std::string::npos;
    return runs;
  };
  EXPECT_EQ(mixed_with_runs(Target::gpu), 0);
  EXPECT_EQ(mixed_with_runs(Target::cpu),
            static_cast<int>(run_designs(matrix, Dtype::f32).size()) - 1);  // `runs` is named
}

}  // namespace
}  // namespace alphasparse
