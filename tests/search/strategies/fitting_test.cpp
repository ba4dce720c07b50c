// fitting_test: no point of a grid is proposed that the words of its design rule out.
#include "search/strategies/fitting.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "operators/named_designs.h"
#include "search/strategies/fine_grid.h"
#include "search/strategies/grid_moves.h"
#include "tests/support/battery.h"
#include "tests/support/outcomes.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

/// Rows of three neighbours each.
Matrix of_rows_alike() {
  std::vector<std::vector<int>> columns(200);
  for (int row = 0; row < 200; ++row) columns[row] = {row, row + 1, row + 2};
  return pattern(202, columns);
}

Matrix of_a_grid() {
  std::vector<std::vector<int>> columns(300);
  for (int row = 0; row < 300; ++row) {
    for (const int col : {row - 20, row - 1, row, row + 1, row + 20})
      if (col >= 0 && col < 300) columns[row].push_back(col);
  }
  return pattern(300, columns);
}

struct Fits : ::testing::TestWithParam<std::pair<const char*, Target>> {
  Matrix matrix = std::string(GetParam().first) == "alike"  ? of_rows_alike()
                  : std::string(GetParam().first) == "grid" ? of_a_grid()
                                                            : battery_matrix(GetParam().first);
  Designer designer{matrix, GetParam().second};
  Fitting fitting{row_facts(matrix.row_first)};

  /// The named designs that the matrix takes.
  Designs taken() {
    Designs designs = canonical_named_designs(GetParam().second);
    std::erase_if(designs, [&](const auto& design) { return !designer.branches(design).ok(); });
    return designs;
  }
};

/// Whether a part has no entry on the matrix: it takes any parameters then.
bool has_empty_part(const std::vector<Store>& stores) {
  return std::any_of(stores.begin(), stores.end(),
                     [](const Store& store) { return store.nnz() == 0; });
}

TEST_P(Fits, ANeighbourFitsWhereTheMatrixTakesIt) {
  int others = 0;
  for (const CanonicalDesign& design : taken()) {
    fitting.know(design);
    const bool may_differ = has_empty_part(designer.branches(design).value());
    const GridBase base{design, fine_axes(design.tree(), row_facts(matrix.row_first))};
    for (const CanonicalDesign& other : change_one(base)) {
      const auto stores = designer.branches(other);
      const bool fits = fitting.fits(other);
      EXPECT_TRUE(fits == stores.ok() || (may_differ && !fits)) << design << "\n" << other;
      others += !stores;
    }
  }
  EXPECT_GT(others, 50) << "that do not fit";
}

TEST_P(Fits, TheFineGridProposesOnlyDesignsThatTheMatrixTakes) {
  KnownDesigns known;
  Outcomes outcomes;
  double time_us = 10;
  for (const CanonicalDesign& design : taken())
    outcomes[design.text()] = timed(design.text(), time_us++);
  FineGridOptions options;
  options.with_model = false;
  for (const CanonicalDesign& design : taken()) fitting.know(design);
  options.legal = [&](const CanonicalDesign& design) { return fitting.fits(design); };
  FineGrid grid(row_facts(matrix.row_first), compute_features(matrix), 1000, known, options);
  int proposed = 0;
  for (int batch = 0; batch < 4; ++batch) {
    for (const CanonicalDesign& design : grid.propose(32, outcomes)) {
      const auto stores = designer.branches(design);
      EXPECT_TRUE(stores.ok()) << design << "\n" << (stores ? "" : stores.reason());
      ++proposed;
    }
  }
  EXPECT_EQ(proposed, 128);
}

INSTANTIATE_TEST_SUITE_P(
    All, Fits,
    ::testing::Values(std::pair("power_law", Target::cpu), std::pair("power_law", Target::gpu),
                      std::pair("alike", Target::cpu), std::pair("alike", Target::gpu),
                      std::pair("grid", Target::cpu), std::pair("grid", Target::gpu)));

/// Every point around a design of the matrix, coarse and fine.
Designs points_around(const CanonicalDesign& design, const Matrix& matrix) {
  Designs points = change_one({design, fine_axes(design.tree(), row_facts(matrix.row_first))});
  const Designs coarse = coarse_variants(design, matrix);
  points.insert(points.end(), coarse.begin(), coarse.end());
  return points;
}

/// A hundred rows of so many entries each, which are neighbours.
Matrix of_rows_of(int length) {
  std::vector<std::vector<int>> columns(100);
  for (int row = 0; row < 100; ++row) {
    for (int k = 0; k < length; ++k) columns[row].push_back(row + k);
  }
  return pattern(100 + length, columns);
}

/// A point may fit by its words alone and still have a part without entries, or a matrix of one
/// row: those take any parameters.
TEST(Fitting, RefusesNoPointThatAMatrixOfSeveralRowsTakes) {
  std::vector<NamedMatrix> all = battery();
  std::erase_if(all, [](const NamedMatrix& one) { return one.matrix.rows == 1; });
  for (int length = 1; length <= 8; ++length)
    all.push_back({fmt::format("rows_of_{}", length), of_rows_of(length)});
  for (const auto& [name, matrix] : all) {
    for (const Target target : {Target::gpu, Target::cpu}) {
      Designer designer(matrix, target);
      Fitting fitting(row_facts(matrix.row_first));
      for (const CanonicalDesign& design : canonical_named_designs(target)) {
        if (!designer.branches(design)) continue;
        fitting.know(design);
        for (const CanonicalDesign& point : points_around(design, matrix)) {
          if (fitting.fits(point)) continue;
          const auto stores = designer.branches(point);
          EXPECT_TRUE(!stores || has_empty_part(*stores)) << name << ": " << design << "\n"
                                                          << point;
        }
      }
    }
  }
}

TEST(Fitting, WhatItsOwnDesignNeedsIsNotRefused) {
  Fitting fitting(row_facts(of_rows_alike().row_first));
  const CanonicalDesign unsound =
      CanonicalDesign::read("compress | thread_rows rows=1 | global_store | launch threads=64")
          .value();
  fitting.know(unsound);
  EXPECT_TRUE(fitting.fits(unsound)) << "the specimen tells nothing of it";
}

}  // namespace
}  // namespace alphasparse
