// kernel_subjects: the kernels that are run: every named design on both targets, and the other
// golden ones. The matrix has more rows and entries than any tile, empty rows and rows of very
// different lengths.
#include <algorithm>
#include <set>

#include "base/random.h"
#include "operators/named_designs.h"
#include "tests/fuzz/format_fuzz.h"
#include "tests/support/battery.h"
#include "tests/support/goldens.h"

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
  const Matrix matrix = uneven_matrix();
  std::set<std::string> lines;
  for (const Target target : {Target::gpu, Target::cpu}) {
    add_named_subjects(matrix, target, {}, subjects);
    for (const NamedDesign& named : named_designs(target)) lines.emplace(named.line);
  }
  for (const auto& all : {goldens(), cpu_goldens()}) {
    for (const Golden& golden : all) {
      if (!lines.insert(golden.design).second) continue;
      const std::string name = golden.file.substr(0, golden.file.find('-'));
      const char* const where = golden.file.ends_with(".cu") ? " cuda, other" : " cpu, other";
      const std::size_t before = subjects.size();
      add_subject(name + where, matrix, golden.design, subjects);
      if (subjects.size() > before) continue;
      add_subject(name + where, battery_matrix(golden.matrix), golden.design, subjects);
    }
  }
  return subjects;
}

}  // namespace alphasparse
