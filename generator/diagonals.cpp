#include "generator/diagonals.h"

#include <algorithm>

namespace alphasparse {

Diagonals diagonals_of(const Store& store) {
  const LevelFacts& threads = *store.level(Level::thread);
  const auto& first_child = store.ints({threads.parent, Name::first_child});
  const auto& first_nz = store.ints({Level::thread, Name::first_nz});
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  // By column of the first lane, counted from where the last lane has column 0: the last warp that
  // was seen there.
  const std::int32_t lowest = 1 - threads.children_max;
  std::vector<std::int32_t> seen(store.cols() - lowest, -1);
  Diagonals diagonals;
  diagonals.first.reserve(first_child.size());
  for (std::size_t warp = 0; warp + 1 < first_child.size(); ++warp) {
    for (std::int32_t row = first_child[warp]; row < first_child[warp + 1]; ++row) {
      for (std::int32_t nz = first_nz[row]; nz < first_nz[row + 1]; ++nz) {
        const std::int32_t column = col[nz] - (row - first_child[warp]);
        std::int32_t& last = seen[column - lowest];
        if (last == static_cast<std::int32_t>(warp)) continue;
        last = static_cast<std::int32_t>(warp);
        diagonals.column.push_back(column);
      }
    }
    std::sort(diagonals.column.begin() + diagonals.first.back(), diagonals.column.end());
    diagonals.first.push_back(static_cast<std::int32_t>(diagonals.column.size()));
  }
  return diagonals;
}

std::vector<std::uint32_t> entry_bits(const std::vector<std::int32_t>& value_source) {
  std::vector<std::uint32_t> bits((value_source.size() + 31) / 32, 0);
  for (std::size_t position = 0; position < value_source.size(); ++position) {
    if (value_source[position] >= 0) bits[position / 32] |= 1u << position % 32;
  }
  return bits;
}

}  // namespace alphasparse
