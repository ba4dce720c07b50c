// row_group: a few rows that lie side by side in some order, and the different columns that they
// share.
//
// Example: rows with the columns 1 2 3 and 2 3 4 are a group of six entries and four columns.
#pragma once
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "generator/arrays/matrix.h"

namespace alphasparse {

class RowGroup {
 public:
  static constexpr std::int32_t rows_most = 512;
  static constexpr std::int64_t entries_most = 1 << 15;  ///< hubs have any column

  bool is_full() const { return rows_ >= rows_most || entries_ >= entries_most; }

  /// Adds a row, of a long one only the first entries that the group has room for.
  void add(const Matrix& matrix, std::int32_t row);

  std::int64_t entries() const { return entries_; }
  std::int64_t columns() const { return static_cast<std::int64_t>(columns_.size()); }

 private:
  std::int32_t rows_ = 0;
  std::int64_t entries_ = 0;
  std::unordered_set<std::int32_t> columns_;
};

using RowGroups = std::vector<RowGroup>;

/// Of all groups.
std::int64_t count_entries(const RowGroups& all);

/// Different columns an entry, over all groups.
double columns_an_entry(const RowGroups& all);

}  // namespace alphasparse
