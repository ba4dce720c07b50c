#include "search/strategies/fitting.h"

#include <algorithm>
#include <cstdlib>

namespace alphasparse {

namespace {

constexpr std::int32_t alike_size = 96;     // rows and columns where rows are alike
constexpr std::int32_t neighbour_most = 2;  // diagonals beside the main one
constexpr std::int32_t size = 1200;     // otherwise: one row and one column have so many entries
constexpr std::int32_t triangle = 48;   // rows of as many lengths
constexpr std::int32_t empty_rows = 4;  // the last ones

/// Symmetric, so that it takes designs of one triangle too.
bool has_entry(std::int32_t row, std::int32_t col) {
  if (std::max(row, col) >= size - empty_rows) return false;
  return row + col < triangle || std::min(row, col) == 0;
}

bool has_entry_alike(std::int32_t row, std::int32_t col) {
  const std::int32_t apart = std::abs(row - col);
  return std::min(apart, alike_size - apart) <= neighbour_most;
}

Matrix specimen_of(const RowFacts& rows) {
  const bool rows_alike = rows.length_min == rows.length_max;
  Matrix matrix;
  matrix.rows = matrix.cols = rows_alike ? alike_size : size;
  matrix.row_first = {0};
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t col = 0; col < matrix.cols; ++col) {
      if (rows_alike ? has_entry_alike(row, col) : has_entry(row, col)) matrix.col.push_back(col);
    }
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  matrix.value.assign(matrix.col.size(), 1);
  return matrix;
}

}  // namespace

Fitting::Fitting(const RowFacts& rows) : specimen_(specimen_of(rows)), designer_(specimen_) {}

bool Fitting::takes(const CanonicalDesign& design) {
  const auto known = taken_.find(design);
  if (known != taken_.end()) return known->second;
  const bool is_taken = designer_.branches(design).ok();
  taken_.emplace(design, is_taken);
  if (is_taken) structures_.insert(design.structure());
  return is_taken;
}

bool Fitting::fits(const CanonicalDesign& design) {
  return takes(design) || !structures_.contains(design.structure());
}

}  // namespace alphasparse
