// Rows by a counting sort in the file's order, then columns inside each row that needs it. A file
// in column order, as most collections write them, gives rows that are sorted already, its mirror
// images included.
#include "runtime/matrices/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/result.h"

namespace alphasparse {

std::int64_t Entries::line(std::int64_t entry) const {
  const auto after = std::upper_bound(
      line_jumps.begin(), line_jumps.end(), entry,
      [](std::int64_t wanted, const LineJump& jump) { return wanted < jump.entry; });
  CHECK(after != line_jumps.begin());
  return (after - 1)->line + entry - (after - 1)->entry;
}

Entries entries_without_lines(const std::string& name, std::int64_t rows, std::int64_t cols,
                              std::int64_t count, int parts) {
  Entries entries;
  entries.name = name;
  entries.line_jumps = {{0, 1}};
  entries.rows = static_cast<std::int32_t>(rows);
  entries.cols = static_cast<std::int32_t>(cols);
  entries.row.reserve(static_cast<std::size_t>(count));
  entries.col.reserve(static_cast<std::size_t>(count));
  entries.value.reserve(static_cast<std::size_t>(count));
  if (parts == 2) entries.imag.reserve(static_cast<std::size_t>(count));
  return entries;
}

namespace {

/// Calls visit(row, col, entry, mirror) for every entry and mirror image, in the file's order. The
/// mirror gives its value by that of the entry.
template <class Visit>
void expand(const Entries& entries, Visit visit) {
  const bool mirrored = entries.mirror != Mirror::none;
  const std::size_t count = entries.row.size();
  for (std::size_t entry = 0; entry < count; ++entry) {
    const std::int32_t row = entries.row[entry];
    const std::int32_t col = entries.col[entry];
    visit(row, col, entry, Mirror::none);
    if (mirrored && row != col) visit(col, row, entry, entries.mirror);
  }
}

/// The matrix with rows in order; columns in a row as the file has them.
Matrix scattered(const Entries& entries) {
  Matrix matrix;
  matrix.rows = entries.rows;
  matrix.cols = entries.cols;
  // Counts stand two places behind their row: the scatter then advances row_first[row + 1] from the
  // row's first to the next row's first, and no second array is needed.
  std::vector<std::int32_t>& first = matrix.row_first;
  first.assign(static_cast<std::size_t>(matrix.rows) + 2, 0);
  std::size_t expanded_count = 0;
  expand(entries, [&](std::int32_t row, std::int32_t, std::size_t, Mirror) {
    ++first[static_cast<std::size_t>(row) + 2];
    ++expanded_count;
  });
  CHECK(expanded_count <= static_cast<std::size_t>(index_limit));
  for (std::size_t index = 2; index < first.size(); ++index) first[index] += first[index - 1];
  matrix.col.resize(expanded_count);
  matrix.value.resize(expanded_count);
  const bool is_complex = !entries.imag.empty();
  if (is_complex) matrix.imag.resize(expanded_count);
  expand(entries, [&](std::int32_t row, std::int32_t col, std::size_t entry, Mirror mirror) {
    const std::int32_t nz = first[static_cast<std::size_t>(row) + 1]++;
    matrix.col[nz] = col;
    matrix.value[nz] = host::image_of(mirror, entries.value[entry]);
    if (is_complex) matrix.imag[nz] = host::image_of_imag(mirror, entries.imag[entry]);
  });
  first.pop_back();
  return matrix;
}

/// Sorts one row's columns; duplicates stay in the file's order. Without imaginary parts `imag` is
/// null.
class RowSorter {
 public:
  void sort(std::int32_t* col, double* value, double* imag, std::size_t length) {
    if (std::is_sorted(col, col + length)) return;
    keys_.resize(length);
    for (std::size_t i = 0; i < length; ++i) keys_[i] = {col[i], static_cast<std::int32_t>(i)};
    std::sort(keys_.begin(), keys_.end());
    for (std::size_t i = 0; i < length; ++i) col[i] = keys_[i].first;
    arrange(value, length);
    if (imag) arrange(imag, length);
  }

 private:
  void arrange(double* part, std::size_t length) {
    values_.assign(part, part + length);
    for (std::size_t i = 0; i < length; ++i) part[i] = values_[keys_[i].second];
  }

  std::vector<std::pair<std::int32_t, std::int32_t>> keys_;  // column, place in the file's order
  std::vector<double> values_;
};

/// Repeats the sum of one position to find the entry, and so the line, where it leaves the range.
[[noreturn]] void fail_sum(const Entries& entries, std::int32_t row, std::int32_t col) {
  double sum = 0, imag = 0;
  for (std::int64_t entry = 0; entry < entries.count(); ++entry) {
    const std::pair position(entries.row[entry], entries.col[entry]);
    const bool mirrored = entries.mirror != Mirror::none && position == std::pair(col, row);
    if (position != std::pair(row, col) && !mirrored) continue;
    sum += entries.value[entry];
    if (!entries.imag.empty()) imag += entries.imag[entry];
    if (std::isfinite(sum) && std::isfinite(imag)) continue;
    throw Error(
        fmt::format("{}:{}: the sum of the duplicates of row {}, column {} is beyond "
                    "double's range",
                    entries.name, entries.line(entry), position.first + 1, position.second + 1));
  }
  CHECK(!"a sum that is finite the second time");
}

/// Adds up duplicates in place; the columns of each row ascend.
void sum_duplicates(const Entries& entries, Matrix& matrix) {
  std::int32_t kept = 0;
  std::int32_t nz = 0;
  const bool is_complex = matrix.is_complex();
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    const std::int32_t row_end = matrix.row_first[row + 1];
    const std::int32_t row_kept = kept;
    for (; nz < row_end; ++nz) {
      if (kept > row_kept && matrix.col[kept - 1] == matrix.col[nz]) {
        double& sum = matrix.value[kept - 1];
        sum += matrix.value[nz];
        if (is_complex) matrix.imag[kept - 1] += matrix.imag[nz];
        if (!std::isfinite(sum) || (is_complex && !std::isfinite(matrix.imag[kept - 1])))
          fail_sum(entries, row, matrix.col[nz]);
        continue;
      }
      matrix.col[kept] = matrix.col[nz];
      matrix.value[kept] = matrix.value[nz];
      if (is_complex) matrix.imag[kept] = matrix.imag[nz];
      ++kept;
    }
    matrix.row_first[row + 1] = kept;
  }
  matrix.col.resize(kept);
  matrix.value.resize(kept);
  if (is_complex) matrix.imag.resize(kept);
}

/// Whether the entries are all, and in canonical order.
bool is_canonical(const Entries& entries) {
  if (entries.mirror != Mirror::none) return false;
  for (std::int64_t entry = 1; entry < entries.count(); ++entry) {
    const std::int32_t above = entries.row[entry - 1], row = entries.row[entry];
    if (row < above || (row == above && entries.col[entry] <= entries.col[entry - 1])) return false;
  }
  return true;
}

/// The matrix of such entries: nothing is moved.
Matrix take_canonical(Entries&& entries) {
  CHECK(entries.count() <= index_limit);
  Matrix matrix;
  matrix.rows = entries.rows;
  matrix.cols = entries.cols;
  matrix.row_first = row_starts(entries.row, matrix.rows);
  std::vector<std::int32_t>().swap(entries.row);
  matrix.col = std::move(entries.col);
  matrix.value = std::move(entries.value);
  matrix.imag = std::move(entries.imag);
  return matrix;
}

}  // namespace

Matrix canonical(Entries&& entries) {
  if (is_canonical(entries)) return take_canonical(std::move(entries));
  const Entries consumed = std::move(entries);
  Matrix matrix = scattered(consumed);
  RowSorter sorter;
  bool duplicates = false;
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    const std::int32_t first = matrix.row_first[row];
    std::int32_t* col = matrix.col.data() + first;
    const std::size_t length = matrix.row_length(row);
    sorter.sort(col, matrix.value.data() + first,
                matrix.is_complex() ? matrix.imag.data() + first : nullptr, length);
    duplicates = duplicates || std::adjacent_find(col, col + length) != col + length;
  }
  if (duplicates) sum_duplicates(consumed, matrix);
  return matrix;
}

}  // namespace alphasparse
