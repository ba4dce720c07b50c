#include "search/strategies/row_group.h"

#include <algorithm>

namespace alphasparse {

void RowGroup::add(const Matrix& matrix, std::int32_t row) {
  const std::int64_t taken =
      std::min<std::int64_t>(matrix.row_length(row), entries_most - entries_);
  const auto first = matrix.col.begin() + matrix.row_first[row];
  columns_.insert(first, first + taken);
  entries_ += taken;
  ++rows_;
}

std::int64_t count_entries(const RowGroups& all) {
  std::int64_t entries = 0;
  for (const RowGroup& group : all) entries += group.entries();
  return entries;
}

double columns_an_entry(const RowGroups& all) {
  std::int64_t columns = 0;
  for (const RowGroup& group : all) columns += group.columns();
  return static_cast<double>(columns) /
         static_cast<double>(std::max<std::int64_t>(count_entries(all), 1));
}

}  // namespace alphasparse
