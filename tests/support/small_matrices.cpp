#include "tests/support/small_matrices.h"

#include <utility>

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

const Matrix uneven = pattern(4, {{1, 3}, {}, {2}, {0, 1, 3}});
const Matrix stairs = pattern(8, {{4}, {0, 1, 2}, {}, {7}, {3, 5}, {0, 2, 4, 6, 7}});
const Matrix even = pattern(4, {{0, 1}, {1, 2}, {2, 3}});
const Matrix empty = pattern(3, {{}, {}, {}});
const Matrix path = pattern(5, {{0, 2}, {2, 3}, {0, 1}, {1}, {}});
const Matrix upper_path = pattern(4, {{2}, {2, 3}, {}, {}});
const Matrix mirror = from_rows(3, {{{2, 1.}}, {{1, 2.}, {2, 3.}}, {{0, 1.}, {1, 3.}, {2, 4.}}});
const Matrix one_row = pattern(8, {{0, 1, 2, 4, 5, 7}});

}  // namespace alphasparse
