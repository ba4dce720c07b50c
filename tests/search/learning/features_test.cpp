// features: statistics of matrices worked out by hand, and of the battery.
#include "search/learning/features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "generator/facts/store.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

TEST(Distributions, MomentsAndQuantiles) {
  const Distribution d = make_distribution({2, 1, 5}, 2);  // 0 0 1 2 5
  EXPECT_EQ(d.empty, 2);
  EXPECT_EQ(d.min, 0);
  EXPECT_EQ(d.max, 5);
  EXPECT_DOUBLE_EQ(d.mean, 1.6);
  EXPECT_NEAR(d.variance, (2 * 2.56 + 0.36 + 0.16 + 11.56) / 5, 1e-12);
  const double cubes = (2 * -4.096 + -0.216 + 0.064 + 39.304) / 5;
  EXPECT_NEAR(d.skew, cubes / std::pow(3.44, 1.5), 1e-12);
  EXPECT_EQ(d.quantiles, (std::array<std::int64_t, 6>{0, 0, 1, 2, 5, 5}));
  EXPECT_EQ(make_distribution({3, 3}, 0).skew, 0);
  EXPECT_EQ(make_distribution({}, 4).max, 0);
}

// The example of features.h.
TEST(FeaturesOf, TheWorkedExample) {
  const Features f = compute_features(from_rows(3, {{{0, 1}, {1, 1}}, {}, {{1, 0.1}, {2, 0}}}));
  EXPECT_EQ(f.nnz, 4);
  EXPECT_EQ(f.stored_zeros, 1);
  EXPECT_EQ(f.diagonal_entries, 2);
  EXPECT_EQ(f.row_lengths.empty, 1);
  EXPECT_EQ(f.row_lengths.max, 2);
  EXPECT_DOUBLE_EQ(f.row_lengths.mean, 4.0 / 3);
  EXPECT_EQ(f.col_counts.max, 2);
  EXPECT_EQ(f.col_counts.empty, 0);
  EXPECT_EQ(f.band_below, 1);
  EXPECT_EQ(f.band_above, 1);
  EXPECT_EQ(f.profile, 1);
  EXPECT_EQ(f.col_gap_mean, 1);
  EXPECT_EQ(f.row_similarity, 0);
  EXPECT_DOUBLE_EQ(f.locality.bandwidth, 2.0 / 9);
  EXPECT_EQ(f.locality.neighbours, 1);
  EXPECT_EQ(f.locality.similarity, 0.5);
  EXPECT_EQ(f.diagonals, 3);
  EXPECT_EQ(f.fullest_diagonals, 1);
  EXPECT_EQ(f.distinct_values, 3);
  EXPECT_EQ(f.beyond_f32, 1) << "0.1 is no float";
  EXPECT_EQ(f.pattern_symmetry, 0);
}

TEST(FeaturesOf, SymmetryOfPatternAndValues) {
  // (0,1) = (1,0), (0,2) = -(2,0), (1,2) has no mirror image.
  const Features f =
      compute_features(from_rows(3, {{{0, 9}, {1, 2}, {2, 3}}, {{0, 2}, {2, 4}}, {{0, -3}}}));
  EXPECT_DOUBLE_EQ(f.pattern_symmetry, 4.0 / 5);
  EXPECT_DOUBLE_EQ(f.value_symmetry, 2.0 / 5);
  EXPECT_DOUBLE_EQ(f.skew_symmetry, 2.0 / 5);
  EXPECT_EQ(compute_features(from_rows(1, {{{0, 9}}})).pattern_symmetry, 1)
      << "nothing off the diagonal";
  EXPECT_EQ(compute_features(from_rows(2, {{{0, 9}}})).pattern_symmetry, 0) << "rectangular";
}

TEST(FeaturesOf, ComplexValuesCountInBothParts) {
  // (0,1) = (1,0), (0,2) = -(2,0), (1,2) is the conjugate of (2,1).
  Matrix matrix =
      from_rows(3, {{{0, 0}, {1, 2}, {2, 3}}, {{0, 2}, {2, 4}}, {{0, -3}, {1, 4}, {2, 0}}});
  EXPECT_EQ(compute_features(matrix).stored_zeros, 2);
  EXPECT_EQ(compute_features(matrix).distinct_values, 5);
  matrix.imag = {0, 1, 1, 1, 5, -1, -5, 0.1};
  const Features f = compute_features(matrix);
  EXPECT_DOUBLE_EQ(f.value_symmetry, 2.0 / 6);
  EXPECT_DOUBLE_EQ(f.skew_symmetry, 2.0 / 6);
  EXPECT_EQ(f.stored_zeros, 1);
  EXPECT_EQ(f.beyond_f32, 1);
  EXPECT_EQ(f.distinct_values, 7);
}

TEST(FeaturesOf, RowsLikeTheOneAbove) {
  const Features f = compute_features(
      from_rows(6, {{{0, 1}, {3, 1}, {5, 1}}, {{3, 1}, {4, 1}, {5, 1}}, {{5, 1}}}));
  EXPECT_DOUBLE_EQ(f.row_similarity, 3.0 / 4);
  EXPECT_DOUBLE_EQ(f.col_gap_mean, (5.0 + 2.0) / 4);
}

TEST(Localities, RowsOfAGridAreLikeTheNextOne) {
  std::vector<std::vector<std::pair<int, double>>> rows;
  for (int row = 0; row < 100; ++row) rows.push_back({{row, 1}, {row + 1, 1}, {row + 50, 1}});
  const Locality locality = find_locality(from_rows(200, rows));
  EXPECT_DOUBLE_EQ(locality.bandwidth, 0.25);
  EXPECT_DOUBLE_EQ(locality.neighbours, 2.0 / 3);
  EXPECT_DOUBLE_EQ(locality.similarity, 0.99) << "moved by 1; the last row has no next one";
}

TEST(Localities, OnlyColumnsWithinOneCount) {
  // 2 has 3 beside it; 5 has 4, and nothing at 7; 9 is 2 away from 7; the empty row is passed over.
  const Locality locality =
      find_locality(from_rows(12, {{{2, 1}, {5, 1}, {9, 1}}, {}, {{3, 1}, {4, 1}, {7, 1}}}));
  EXPECT_DOUBLE_EQ(locality.similarity, 2.0 / 3 / 2);
  EXPECT_DOUBLE_EQ(locality.bandwidth, (7.0 + 4.0) / 3 / 12);
  EXPECT_DOUBLE_EQ(locality.neighbours, 2.0 / 6);
}

TEST(Localities, OneColumnOfTheNextRowMayBeCloseToThree) {
  const Locality locality =
      find_locality(from_rows(9, {{{3, 1}, {4, 1}, {5, 1}, {6, 1}}, {{4, 1}}}));
  EXPECT_DOUBLE_EQ(locality.similarity, 3.0 / 4 / 2);
}

TEST(FeaturesOf, BlocksThatAreStoredWhole) {
  // Rows 0..3, columns 4..7 are full; beside them one entry at (0, 0), and a fifth row.
  const std::vector<std::pair<int, double>> full = {{4, 1}, {5, 1}, {6, 1}, {7, 1}};
  const Features f = compute_features(
      from_rows(9, {{{0, 1}, {4, 1}, {5, 1}, {6, 1}, {7, 1}}, full, full, full, {{8, 1}}}));
  EXPECT_EQ(f.nnz, 18);
  EXPECT_DOUBLE_EQ(f.blocks[1].full_share, 16.0 / 18);
  EXPECT_DOUBLE_EQ(f.blocks[1].fill, 18.0 / (3 * 16)) << "(0,0), the full one, (4,8)";
  EXPECT_EQ(f.blocks[2].full_share, 0);
  EXPECT_DOUBLE_EQ(f.blocks[2].fill, 18.0 / (2 * 64));
  // 3 x 3: columns 4 and 5 of rows 0..2 half fill a block, 6 and 7 the next; row 3 likewise.
  EXPECT_EQ(f.blocks[0].full_share, 0);
  EXPECT_DOUBLE_EQ(f.blocks[0].fill, 18.0 / (5 * 9));
}

TEST(FeaturesOf, TheTenFullestDiagonals) {
  std::vector<std::vector<std::pair<int, double>>> rows(2);
  for (int col = 0; col < 12; ++col) rows[0].push_back({col, 1});
  rows[1] = {{1, 1}, {2, 1}};  // two diagonals have two entries, ten have one
  const Features f = compute_features(from_rows(12, rows));
  EXPECT_EQ(f.diagonals, 12);
  EXPECT_DOUBLE_EQ(f.fullest_diagonals, 12.0 / 14);
}

TEST(FeaturesOf, ValuesAreToldApartByTheirBits) {
  const Features f = compute_features(from_rows(4, {{{0, 0.0}, {1, -0.0}, {2, 7}, {3, 7}}}));
  EXPECT_EQ(f.distinct_values, 3);
  EXPECT_EQ(f.stored_zeros, 2);
}

// So many that they are counted in parts; each value twice.
TEST(FeaturesOf, ManyValuesAreToldApartToo) {
  Matrix matrix;
  matrix.rows = matrix.cols = 2100;
  matrix.row_first.push_back(0);
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t col = 0; col < matrix.cols; ++col) {
      matrix.col.push_back(col);
      matrix.value.push_back((row % 1050 * 2100 + col) / 8.0);
    }
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  EXPECT_EQ(compute_features(matrix).distinct_values, 1050 * 2100);
}

TEST(FeaturesOf, FarMoreColumnsThanEntriesAreCheap) {
  Matrix matrix{3, 2147483647, {0, 1, 1, 3}, {5, 5, 2147483646}, {1, 2, 3}};
  ASSERT_EQ(check_canonical(matrix), "");
  const Features f = compute_features(matrix);
  EXPECT_EQ(f.col_counts.empty, 2147483645);
  EXPECT_EQ(f.col_counts.max, 2);
  EXPECT_EQ(f.col_counts.quantiles[5], 0);
  EXPECT_EQ(f.band_above, 2147483644);
  EXPECT_EQ(f.diagonals, 3);
  EXPECT_DOUBLE_EQ(f.blocks[0].fill, 3.0 / 18) << "two blocks hold an entry";
}

TEST(FeaturesOf, EveryFeatureOfTheBatteryIsANumberWithAName) {
  std::vector<NamedMatrix> matrices = battery();
  matrices.push_back({"1 x 1 without entries", from_rows(1, {{}})});
  for (const auto& [name, matrix] : matrices) {
    const Features f = compute_features(matrix);
    std::set<std::string> names;
    for (const NamedFeature& feature : feature_list(f)) {
      EXPECT_TRUE(std::isfinite(feature.value)) << name << ": " << feature.name;
      EXPECT_TRUE(names.insert(std::string(feature.name)).second) << feature.name;
    }
    for (const double share : {f.pattern_symmetry, f.value_symmetry, f.skew_symmetry,
                               f.row_similarity, f.fullest_diagonals, f.blocks[0].full_share,
                               f.blocks[0].fill, f.blocks[1].fill, f.blocks[2].fill}) {
      EXPECT_GE(share, 0) << name;
      EXPECT_LE(share, 1) << name;
    }
    std::vector<std::pair<std::string, double>> numbers;
    for (const NamedFeature& feature : feature_list(f))
      numbers.emplace_back(feature.name, feature.value);
    std::reverse(numbers.begin(), numbers.end());
    const std::optional<Features> back = features_of_list(numbers);
    ASSERT_TRUE(back) << name;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      EXPECT_EQ(feature_list(*back)[i].value, feature_list(f)[i].value) << name;
    EXPECT_LT(f.locality.bandwidth, 1) << name;
    EXPECT_LT(f.locality.neighbours, 2) << name;
    EXPECT_LE(f.locality.similarity, 1) << name;
    EXPECT_LE(f.value_symmetry, f.pattern_symmetry) << name;
    const RowFacts rows = row_facts(matrix.row_first);
    EXPECT_EQ(f.row_lengths.empty, rows.empty_rows) << name;
    EXPECT_NEAR(f.row_lengths.variance, rows.length_variance, 1e-9 * rows.length_variance) << name;
  }
}

TEST(FeaturesOf, AListWithoutOneOfThemIsNone) {
  std::vector<std::pair<std::string, double>> numbers;
  for (const NamedFeature& feature : feature_list(compute_features(battery().front().matrix)))
    numbers.emplace_back(feature.name, feature.value);
  ASSERT_TRUE(features_of_list(numbers));
  const auto with = [&](double rows) {
    auto changed = numbers;
    changed[0].second = rows;
    return features_of_list(changed).has_value();
  };
  EXPECT_TRUE(with(7));
  EXPECT_FALSE(with(7.5));
  EXPECT_FALSE(with(-1));
  EXPECT_FALSE(with(1e300));
  numbers.pop_back();
  EXPECT_FALSE(features_of_list(numbers));
}

}  // namespace
}  // namespace alphasparse
