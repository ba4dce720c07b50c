#include "search/strategies/row_orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <span>
#include <unordered_set>

#include "generator/arrays/long_vectors.h"
#include "operators/compact_passes.h"
#include "search/strategies/row_group.h"

namespace alphasparse {

namespace {

constexpr std::int32_t groups = 8;
constexpr double promising_share = 0.5;  // of the different columns as the rows are now
constexpr double known_share = 0.5;      // of the entries of the rows as they are now

/// Groups begin at equal steps of rows.
std::int32_t first_row(const Matrix& matrix, std::int32_t group) {
  return static_cast<std::int32_t>(std::int64_t{matrix.rows} * group / groups);
}

RowGroups group_in_order(const Matrix& matrix) {
  RowGroups all(groups);
  for (std::int32_t group = 0; group < groups; ++group) {
    for (std::int32_t row = first_row(matrix, group); row < matrix.rows; ++row) {
      if (all[group].is_full()) break;
      all[group].add(matrix, row);
    }
  }
  return all;
}

/// The rows of a square matrix as a walk in breadth meets them: nearly by=rcm.
RowGroup walk(const Matrix& matrix, std::int32_t start) {
  RowGroup group;
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
      if (next.size() == RowGroup::rows_most) break;  // the walk ends before it meets more
      if (met.insert(matrix.col[nz]).second) next.push_back(matrix.col[nz]);
    }
  }
  return group;
}

RowGroups along_columns(const Matrix& matrix) {
  RowGroups all;
  for (std::int32_t group = 0; group < groups; ++group)
    all.push_back(walk(matrix, first_row(matrix, group)));
  return all;
}

/// Rows that begin in neighbouring columns: nearly by=columns.
RowGroups group_by_column(const Matrix& matrix) {
  RowGroups all(groups);
  const std::int64_t step = matrix.cols / groups + std::int64_t{1};
  const std::int64_t width = RowGroup::rows_most * std::int64_t{matrix.cols} / matrix.rows + 1;
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    if (matrix.row_length(row) == 0) continue;
    const std::int64_t column = matrix.col[matrix.row_first[row]];
    RowGroup& group = all[column / step];
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

/// Whether groups have enough entries to tell an order. A few rows that begin alike do not.
bool is_known(const RowGroups& sorted, const RowGroups& now, std::int64_t nnz) {
  const auto most = static_cast<double>(std::min(count_entries(now), nnz));  // groups may overlap
  return static_cast<double>(count_entries(sorted)) >= known_share * most;
}

CanonicalDesign reordered(const std::string& order, const Tail& tail, bool values_vary) {
  const auto design =
      CanonicalDesign::read(fmt::format("reorder by={} x={} | {}", order, tail.x, tail.line));
  CHECK(design.ok());
  return values_vary ? CanonicalDesign::of(with_any_values(design->tree())).value() : *design;
}

}  // namespace

RowOrders promising_orders(const Matrix& matrix) {
  if (matrix.nnz() == 0 || has_long_vectors(matrix)) return {};
  const RowGroups now = group_in_order(matrix);
  const double most = promising_share * columns_an_entry(now);
  RowOrders orders;
  if (matrix.rows == matrix.cols && columns_an_entry(along_columns(matrix)) <= most)
    orders.emplace_back("rcm");
  const RowGroups sorted = group_by_column(matrix);
  if (is_known(sorted, now, matrix.nnz()) && columns_an_entry(sorted) <= most)
    orders.emplace_back("columns");
  return orders;
}

Designs reordered_designs(const RowOrders& orders, Target target, bool values_vary) {
  const std::span<const Tail> tails =
      target == Target::cpu ? std::span<const Tail>(cpu_tails) : gpu_tails;
  Designs designs;
  for (const Tail& tail : tails) {
    for (const std::string& order : orders) designs.push_back(reordered(order, tail, values_vary));
  }
  return designs;
}

}  // namespace alphasparse
