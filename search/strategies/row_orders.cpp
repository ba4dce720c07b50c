#include "search/strategies/row_orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>
#include <unordered_set>

namespace alphasparse {

namespace {

constexpr std::int32_t groups = 8, rows_of_group = 512;
constexpr std::int64_t entries_most = 1 << 15;  // of a group: hubs have any column
constexpr double promising_share = 0.5;         // of the different columns as the rows are now

/// Rows that would lie side by side, and their different columns.
class Group {
 public:
  bool is_full() const { return rows_ >= rows_of_group || entries_ >= entries_most; }

  void add(const Matrix& matrix, std::int32_t row) {
    ++rows_;
    entries_ += matrix.row_length(row);
    columns_.insert(matrix.col.begin() + matrix.row_first[row],
                    matrix.col.begin() + matrix.row_first[row + 1]);
  }

  std::int64_t entries() const { return entries_; }
  std::int64_t columns() const { return static_cast<std::int64_t>(columns_.size()); }

 private:
  std::int32_t rows_ = 0;
  std::int64_t entries_ = 0;
  std::unordered_set<std::int32_t> columns_;
};

using Groups = std::vector<Group>;

/// Different columns an entry, over all groups.
double columns_an_entry(const Groups& all) {
  std::int64_t columns = 0, entries = 0;
  for (const Group& group : all) {
    columns += group.columns();
    entries += group.entries();
  }
  return static_cast<double>(columns) / static_cast<double>(std::max<std::int64_t>(entries, 1));
}

/// Groups begin at equal steps of rows.
std::int32_t first_row(const Matrix& matrix, std::int32_t group) {
  return static_cast<std::int32_t>(std::int64_t{matrix.rows} * group / groups);
}

Groups as_they_are(const Matrix& matrix) {
  Groups all(groups);
  for (std::int32_t group = 0; group < groups; ++group) {
    for (std::int32_t row = first_row(matrix, group); row < matrix.rows; ++row) {
      if (all[group].is_full()) break;
      all[group].add(matrix, row);
    }
  }
  return all;
}

/// The rows of a square matrix as a walk in breadth meets them: nearly by=rcm.
Group walk(const Matrix& matrix, std::int32_t start) {
  Group group;
  std::unordered_set<std::int32_t> met;
  std::deque<std::int32_t> next;
  while (!group.is_full() && (!next.empty() || start < matrix.rows)) {
    if (next.empty()) {  // the beginning, or another component
      if (met.insert(start).second) next.push_back(start);
      ++start;
      continue;
    }
    const std::int32_t row = next.front();
    next.pop_front();
    group.add(matrix, row);
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz) {
      if (next.size() == rows_of_group) break;  // the walk ends before it meets more
      if (met.insert(matrix.col[nz]).second) next.push_back(matrix.col[nz]);
    }
  }
  return group;
}

Groups along_columns(const Matrix& matrix) {
  Groups all;
  for (std::int32_t group = 0; group < groups; ++group)
    all.push_back(walk(matrix, first_row(matrix, group)));
  return all;
}

/// Rows that begin in neighbouring columns: nearly by=columns.
Groups by_first_column(const Matrix& matrix) {
  Groups all(groups);
  const std::int64_t step = matrix.cols / groups + std::int64_t{1};
  const std::int64_t width = rows_of_group * std::int64_t{matrix.cols} / matrix.rows + 1;
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    if (matrix.row_length(row) == 0) continue;
    const std::int64_t column = matrix.col[matrix.row_first[row]];
    Group& group = all[column / step];
    if (column % step < width && !group.is_full()) group.add(matrix, row);
  }
  return all;
}

/// Designs behind a reordering, `x` as its parameter says.
struct Tail {
  const char* x;
  const char* line;
};

constexpr Tail gpu_tails[] = {
    {"gathered",
     "compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave | thread_total "
     "batch=8 | global_store | compact | launch threads=256"},
    {"kept",
     "compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad | interleave | thread_total "
     "batch=8 | global_store | compact columns=packed | launch threads=256"},
    {"kept",
     "compress | block_rows rows=512 | thread_rows rows=1 | stage_x columns=listed | thread_pad | "
     "interleave | thread_total batch=8 | global_store | compact columns=narrow structure=narrow | "
     "launch threads=256"}};

constexpr const char* cpu_line =
    "compress | warp_rows rows=16 | thread_rows rows=1 | thread_pad | interleave | thread_total | "
    "global_store | compact columns=narrow structure=narrow values=full | launch tasks=bytes";
constexpr Tail cpu_tails[] = {{"gathered", cpu_line}, {"kept", cpu_line}};

}  // namespace

std::vector<std::string> promising_orders(const Matrix& matrix) {
  if (matrix.nnz() == 0) return {};
  const double most = promising_share * columns_an_entry(as_they_are(matrix));
  std::vector<std::string> orders;
  if (matrix.rows == matrix.cols && columns_an_entry(along_columns(matrix)) <= most)
    orders.emplace_back("rcm");
  const Groups sorted = by_first_column(matrix);
  const bool is_known = std::any_of(sorted.begin(), sorted.end(),
                                    [](const Group& group) { return group.entries() > 0; });
  if (is_known && columns_an_entry(sorted) <= most) orders.emplace_back("columns");
  return orders;
}

Designs reordered_designs(const Matrix& matrix, Target target) {
  const std::span<const Tail> tails =
      target == Target::cpu ? std::span<const Tail>(cpu_tails) : gpu_tails;
  Designs designs;
  for (const std::string& order : promising_orders(matrix)) {
    for (const Tail& tail : tails) {
      const auto design =
          CanonicalDesign::read(fmt::format("reorder by={} x={} | {}", order, tail.x, tail.line));
      CHECK(design.ok());
      designs.push_back(*design);
    }
  }
  return designs;
}

}  // namespace alphasparse
