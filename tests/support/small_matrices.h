// small_matrices: the matrices of the tests' tables.
#pragma once
#include <cstdint>
#include <vector>

#include "generator/arrays/matrix.h"

namespace alphasparse {

/// Ones at these columns of each row, where values are not looked at.
Matrix pattern(std::int32_t cols, const std::vector<std::vector<int>>& rows);

/// One entry a row, in a column that is far from that of the next row.
Matrix scattered(std::int32_t rows);

/// The rows in a random order, and where asked the columns in the same.
enum class Shuffled { rows, rows_and_columns };
Matrix shuffled(const Matrix& matrix, Shuffled parts);

/// . x . x
/// . . . .
/// . . x .
/// x x . x
extern const Matrix uneven;
/// Six rows of lengths 1 3 0 1 2 5.
extern const Matrix stairs;
/// Every row of length 2.
extern const Matrix even;
extern const Matrix empty;
extern const Matrix path;
extern const Matrix upper_path;
/// . . a
/// . b c
/// a c d
extern const Matrix mirror;
extern const Matrix one_row;

}  // namespace alphasparse
