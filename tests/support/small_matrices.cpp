#include "tests/support/small_matrices.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/random.h"
#include "tests/support/battery.h"

namespace alphasparse {

Matrix pattern(std::int32_t cols, const std::vector<std::vector<int>>& rows) {
  std::vector<std::vector<std::pair<int, double>>> entries;
  for (const std::vector<int>& row : rows) {
    entries.emplace_back();
    for (const int col : row) entries.back().emplace_back(col, 1.);
  }
  return from_rows(cols, entries);
}

Matrix shuffled(const Matrix& matrix, Shuffled parts) {
  Random random(7);
  std::vector<std::int32_t> old_row(matrix.rows);
  std::iota(old_row.begin(), old_row.end(), 0);
  random.shuffle(old_row);
  std::vector<std::int32_t> new_col(matrix.cols);
  std::iota(new_col.begin(), new_col.end(), 0);
  if (parts == Shuffled::rows_and_columns) {
    for (std::int32_t row = 0; row < matrix.rows; ++row) new_col[old_row[row]] = row;
  }
  std::vector<std::vector<std::pair<int, double>>> entries;
  for (const std::int32_t row : old_row) {
    entries.emplace_back();
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz)
      entries.back().emplace_back(new_col[matrix.col[nz]], matrix.value[nz]);
    std::sort(entries.back().begin(), entries.back().end());
  }
  return from_rows(matrix.cols, entries);
}

const Matrix uneven = pattern(4, {{1, 3}, {}, {2}, {0, 1, 3}});
const Matrix stairs = pattern(8, {{4}, {0, 1, 2}, {}, {7}, {3, 5}, {0, 2, 4, 6, 7}});
const Matrix even = pattern(4, {{0, 1}, {1, 2}, {2, 3}});
const Matrix empty = pattern(3, {{}, {}, {}});
const Matrix path = pattern(5, {{0, 2}, {2, 3}, {0, 1}, {1}, {}});
const Matrix upper_path = pattern(4, {{2}, {2, 3}, {}, {}});
const Matrix mirror = from_rows(3, {{{2, 1.}}, {{1, 2.}, {2, 3.}}, {{0, 1.}, {1, 3.}, {2, 4.}}});
const Matrix one_row = pattern(8, {{0, 1, 2, 4, 5, 7}});

Matrix scattered(std::int32_t rows) {
  Matrix matrix;
  matrix.rows = matrix.cols = rows;
  matrix.row_first = {0};
  for (std::int32_t row = 0; row < rows; ++row) {
    matrix.col.push_back(static_cast<std::int32_t>((std::int64_t{row} * 7919 + 1) % rows));
    matrix.value.push_back(1.0);
    matrix.row_first.push_back(row + 1);
  }
  return matrix;
}

}  // namespace alphasparse
