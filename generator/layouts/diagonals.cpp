#include "generator/layouts/diagonals.h"

#include <algorithm>

namespace alphasparse {

Diagonals diagonals_of(const Store& store) {
  const LevelFacts& threads = *store.level(Level::thread);
  const auto& first_child = store.ints({threads.parent, Name::first_child});
  const auto& first_nz = store.ints({Level::thread, Name::first_nz});
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  Diagonals diagonals;
  diagonals.first.reserve(first_child.size());
  for (std::size_t warp = 0; warp + 1 < first_child.size(); ++warp) {
    for (std::int32_t row = first_child[warp]; row < first_child[warp + 1]; ++row) {
      for (std::int32_t nz = first_nz[row]; nz < first_nz[row + 1]; ++nz)
        diagonals.column.push_back(col[nz] - (row - first_child[warp]));
    }
    const auto begin = diagonals.column.begin() + diagonals.first.back();
    std::sort(begin, diagonals.column.end());
    diagonals.column.erase(std::unique(begin, diagonals.column.end()), diagonals.column.end());
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
