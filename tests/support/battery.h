// battery: the matrices that every reader, design and device meets, and the plain SpMV they are
// held against.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/scaling.h"
#include "generator/arrays/matrix.h"

namespace alphasparse {

struct NamedMatrix {
  std::string name;
  Matrix matrix;
};

/// A canonical matrix from (column, value) pairs a row, sorted or not, columns distinct in a row.
Matrix from_rows(std::int32_t cols, const std::vector<std::vector<std::pair<int, double>>>& rows);

/// The small battery: all-empty, 1 x n, n x 1, diagonal, empty rows first, last and in runs, one
/// huge row, sizes off 32, rectangular, stencil, symmetric, power law. Deterministic; at most a few
/// thousand non-zeros each.
std::vector<NamedMatrix> battery();

/// The matrices that a design meets: with ALPHASPARSE_LONG all of the battery, in the ordinary run
/// an eighth of it. The length of the design's text chooses the eighth.
std::vector<NamedMatrix> battery_for(const std::string& design);

/// The types of values to try with something's number: by turns one, both where ALPHASPARSE_LONG is
/// set.
std::vector<Dtype> types_for(std::size_t number);

/// The matrix with imaginary parts that tell their places, some of them 0. Where it is no `none`,
/// the entries above the diagonal give those below.
Matrix complex_of(Matrix matrix, Mirror mirror = Mirror::none);

/// The battery with imaginary parts, and a symmetric, a skew-symmetric and a Hermitian matrix.
std::vector<NamedMatrix> complex_battery();

/// The battery's matrix of that name; an empty one where there is none.
Matrix battery_matrix(const std::string& name);

/// A symmetric matrix with zeros on its diagonal and the entries below it negated.
Matrix skew_of(Matrix symmetric);

/// y = alpha * A * x + beta * y in double, row by row.
std::vector<double> reference_spmv(const Matrix& matrix, const std::vector<double>& x,
                                   const std::vector<double>& y, const Scaling& scaling);

}  // namespace alphasparse
