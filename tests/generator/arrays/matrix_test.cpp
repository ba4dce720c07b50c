// matrix: the invariants of the canonical matrix, each broken once, and its fingerprints.
#include "generator/arrays/matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "generator/arrays/fingerprints.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

Matrix small_matrix() { return from_rows(4, {{{0, 1.0}, {3, 2.0}}, {}, {{1, 5.0}}}); }

TEST(Matrix, BatteryIsCanonical) {
  for (const NamedMatrix& entry : battery())
    EXPECT_EQ(check_canonical(entry.matrix), "") << entry.name;
}

TEST(Matrix, MirrorsAreExact) {
  const auto pair = [](double above, double below, double diagonal = 0) {
    return find_mirror(from_rows(2, {{{0, diagonal}, {1, above}}, {{0, below}}}));
  };
  EXPECT_EQ(pair(-0.0, -0.0), Mirror::same);
  EXPECT_EQ(pair(0.0, -0.0), Mirror::negated);
  EXPECT_EQ(pair(3, -3), Mirror::negated);
  EXPECT_EQ(pair(3, -3, -0.0), Mirror::negated);
  EXPECT_EQ(pair(3, -3, 1e-300), Mirror::none) << "its diagonal is not its own negative";
  EXPECT_EQ(pair(3, 3, 1), Mirror::same);
  EXPECT_EQ(pair(3, -3.0000000000000004), Mirror::none);
  EXPECT_EQ(find_mirror(from_rows(3, {{{1, 1.}, {2, 2.}}, {{0, -1.}}, {{0, 2.}}})), Mirror::none);
  EXPECT_EQ(find_mirror(from_rows(3, {{{1, 1.}}, {{0, -1.}}})), Mirror::none) << "2 x 3";
}

TEST(Matrix, MirrorsOfComplexValuesAreExactInBothParts) {
  const auto pair = [](std::complex<double> above, std::complex<double> below,
                       std::complex<double> diagonal = 0) {
    Matrix matrix = from_rows(2, {{{0, diagonal.real()}, {1, above.real()}}, {{0, below.real()}}});
    matrix.imag = {diagonal.imag(), above.imag(), below.imag()};
    EXPECT_EQ(check_canonical(matrix), "");
    return find_mirror(matrix);
  };
  EXPECT_EQ(pair({3, 4}, {3, 4}, {1, 2}), Mirror::same);
  EXPECT_EQ(pair({3, 4}, {-3, -4}), Mirror::negated) << "in both parts";
  EXPECT_EQ(pair({3, 4}, {-3, -4}, {0, 1}), Mirror::none);
  EXPECT_EQ(pair({3, 4}, {3, -4}, {5, 0}), Mirror::conjugate);
  EXPECT_EQ(pair({3, 4}, {3, -4}, {5, -0.0}), Mirror::conjugate);
  EXPECT_EQ(pair({3, 0}, {3, -0.0}, {5, 0}), Mirror::same) << "zeros of either sign";
  EXPECT_EQ(pair({3, 4}, {3, -4}, {5, 1}), Mirror::none) << "its diagonal is not real";
  EXPECT_EQ(pair({3, 4}, {-3, 4}), Mirror::none);
  EXPECT_EQ(pair({3, 4}, {3, 5}), Mirror::none);
}

TEST(Matrix, ImaginaryPartsFollowTheirEntries) {
  Matrix matrix = small_matrix();
  EXPECT_FALSE(matrix.is_complex());
  EXPECT_FALSE(transposed(matrix).is_complex());
  matrix.imag = {10, 20, 30};
  EXPECT_TRUE(matrix.is_complex());
  EXPECT_EQ(transposed(matrix).value, (std::vector<double>{1, 5, 2}));
  EXPECT_EQ(transposed(matrix).imag, (std::vector<double>{10, 30, 20}));
  matrix.imag[1] = NAN;
  EXPECT_EQ(check_canonical(matrix), "a value of row 0 is not finite");
  matrix.imag.pop_back();
  EXPECT_EQ(check_canonical(matrix), "imag and col differ in length");
}

TEST(Matrix, EachInvariantIsChecked) {
  Matrix matrix = small_matrix();
  matrix.rows = 0;
  EXPECT_EQ(check_canonical(matrix), "no rows or no columns");
  matrix = small_matrix();
  matrix.row_first.pop_back();
  EXPECT_EQ(check_canonical(matrix), "row_first does not have rows + 1 entries");
  matrix = small_matrix();
  matrix.value.pop_back();
  EXPECT_EQ(check_canonical(matrix), "value and col differ in length");
  matrix = small_matrix();
  matrix.row_first.back() = 2;
  EXPECT_EQ(check_canonical(matrix), "row_first does not run from 0 to nnz");
  matrix = small_matrix();
  matrix.row_first[2] = 1;
  EXPECT_EQ(check_canonical(matrix), "row 1 has a negative length");
  matrix = small_matrix();
  matrix.col[2] = 4;
  EXPECT_EQ(check_canonical(matrix), "column 4 of row 2 is outside");
  matrix = small_matrix();
  matrix.col[1] = 0;
  EXPECT_EQ(check_canonical(matrix), "columns of row 0 do not ascend");
  matrix = small_matrix();
  matrix.value[0] = NAN;
  EXPECT_EQ(check_canonical(matrix), "a value of row 0 is not finite");
}

TEST(Matrix, FingerprintsSeePatternAndValuesApart) {
  Matrix matrix = small_matrix();
  const Fingerprints before = fingerprints(matrix);
  EXPECT_EQ(before.pattern.size(), 32u);
  matrix.value[1] = -2;
  EXPECT_EQ(fingerprints(matrix).pattern, before.pattern);
  EXPECT_NE(fingerprints(matrix).values, before.values);
  matrix = small_matrix();
  matrix.cols = 5;
  EXPECT_NE(fingerprints(matrix).pattern, before.pattern);
  EXPECT_EQ(fingerprints(matrix).values, before.values);
}

TEST(Matrix, FingerprintsOfComplexValuesAreThoseOfTheirPairs) {
  Matrix matrix = small_matrix();
  const Fingerprints real = fingerprints(matrix);
  matrix.imag = {0, -0.0, 7};
  EXPECT_EQ(fingerprints(matrix).pattern, real.pattern);
  const double pairs[] = {1, 0, 2, -0.0, 5, 7};
  Fingerprint values;
  values.add(pairs, 6);
  EXPECT_EQ(fingerprints(matrix).values, values.text());
}

TEST(Matrix, CsrBytesCountOffsetsColumnsAndValues) {
  EXPECT_EQ(csr_bytes(small_matrix(), Dtype::f32), 3 * 8 + 4 * 4);
  EXPECT_EQ(csr_bytes(small_matrix(), Dtype::f64), 3 * 12 + 4 * 4);
}

}  // namespace
}  // namespace alphasparse
