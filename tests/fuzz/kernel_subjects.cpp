// kernel_subjects: the kernels that are run: every named design on both targets, on a matrix that
// has more rows and entries than any tile, empty rows and rows of very different lengths.
#include <algorithm>

#include "generator/random.h"
#include "tests/fuzz/format_fuzz.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

Matrix uneven_matrix() {
  constexpr int cols = 310, rows = 300;
  Random random(54);
  std::vector<std::vector<std::pair<int, double>>> entries(rows);
  for (int row = 0; row < rows; ++row) {
    if (row % 7 == 3 || (row > 100 && row < 110)) continue;
    std::vector<int> columns = {std::min(row, cols - 1)};
    const int length = row == 200 ? 90 : 1 + random.below(14);
    for (int k = 0; k < length; ++k) {
      columns.push_back(std::clamp(row - length + random.below(2 * length), 0, cols - 1));
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (const int column : columns) entries[row].push_back({column, 1 + random.below(5)});
  }
  return from_rows(cols, entries);
}

}  // namespace

std::vector<FormatSubject> make_format_subjects() {
  std::vector<FormatSubject> subjects;
  for (const Target target : {Target::cuda, Target::cpu}) {
    add_named_subjects(uneven_matrix(), target, {}, subjects);
  }
  return subjects;
}

}  // namespace alphasparse
