#include "search/strategies/fitting.h"

#include <algorithm>
#include <cstdlib>

namespace alphasparse {

namespace {

constexpr std::int32_t alike_size = 96;  // rows and columns where rows are alike
// Of longer rows the specimen has shorter ones, with the same powers of two as divisors.
constexpr std::int32_t alike_length_most = 32;
constexpr std::int32_t size = 1200;     // otherwise: one row and one column have so many entries
constexpr std::int32_t triangle = 48;   // rows of as many lengths
constexpr std::int32_t empty_rows = 4;  // the last ones

/// Symmetric, so that it takes designs of one triangle too.
bool has_entry(std::int32_t row, std::int32_t col) {
  if (std::max(row, col) >= size - empty_rows) return false;
  return row + col < triangle || std::min(row, col) == 0;
}

/// The main diagonal and those beside it; of even lengths also the one that is farthest from it.
bool has_entry_alike(std::int32_t row, std::int32_t col, std::int32_t length) {
  const std::int32_t apart = std::abs(row - col), distance = std::min(apart, alike_size - apart);
  return distance <= (length - 1) / 2 || (length % 2 == 0 && distance == alike_size / 2);
}

std::int32_t alike_length(const RowFacts& rows) {
  const std::int32_t length = std::max(1, rows.length_max);
  return length <= alike_length_most ? length : alike_length_most + length % alike_length_most;
}

Matrix make_specimen(const RowFacts& rows) {
  const bool rows_alike = rows.length_min == rows.length_max;
  const std::int32_t length = alike_length(rows);
  Matrix matrix;
  matrix.rows = matrix.cols = rows_alike ? alike_size : size;
  matrix.row_first = {0};
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t col = 0; col < matrix.cols; ++col) {
      if (rows_alike ? has_entry_alike(row, col, length) : has_entry(row, col))
        matrix.col.push_back(col);
    }
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  matrix.value.assign(matrix.col.size(), 1);
  return matrix;
}

}  // namespace

Fitting::Fitting(const RowFacts& rows) : specimen_(make_specimen(rows)), designer_(specimen_) {}

bool Fitting::takes(const CanonicalDesign& design) {
  const auto known = taken_.find(design);
  if (known != taken_.end()) return known->second;
  const bool is_taken = designer_.branches(design).ok();
  taken_.emplace(design, is_taken);
  return is_taken;
}

/// Whether the specimen takes all known designs of a structure, and there are some.
bool Fitting::is_informative(const std::string& name) {
  const auto found = structures_.find(name);
  if (found == structures_.end()) return false;
  Structure& structure = found->second;
  structure.is_rejected =
      structure.is_rejected || std::any_of(structure.unasked.begin(), structure.unasked.end(),
                                           [&](const CanonicalDesign& one) { return !takes(one); });
  structure.unasked.clear();
  return !structure.is_rejected;
}

bool Fitting::fits(const CanonicalDesign& design) {
  return takes(design) || !is_informative(design.structure());
}

}  // namespace alphasparse
