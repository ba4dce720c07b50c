#include "generator/facts/carries.h"

#include <algorithm>

namespace alphasparse {

TileEdges tile_edges(const Store& store, Level level) {
  const auto& row_first = store.ints({Level::matrix, Name::row_first_nz});
  const auto& first_nz = store.ints({level, Name::first_nz});
  const std::int64_t tiles = store.level(level)->parts;
  TileEdges edges;
  edges.first = store.ints({level, Name::first_row});
  if (store.level(level)->tiling ==
      Tiling::merge) {  // the last row never ends: see path_bindings.cpp
    for (std::int32_t& row : edges.first) row = std::min(row, store.rows() - 1);
    edges.last.assign(edges.first.begin() + 1, edges.first.end());
    edges.first.pop_back();
    return edges;
  }
  edges.last.reserve(tiles);
  std::int32_t row = 0;
  for (std::int64_t tile = 0; tile < tiles; ++tile) {
    while (row_first[row + 1] < first_nz[tile + 1]) ++row;
    edges.last.push_back(row);
  }
  return edges;
}

Carries find_carries(const TileEdges& edges) {
  Carries carries;
  const auto add = [&carries](std::int32_t row, std::size_t slot) {
    if (!carries.rows.empty() && carries.rows.back() == row) return;
    carries.rows.push_back(row);
    carries.first_slot.push_back(static_cast<std::int32_t>(slot));
  };
  for (std::size_t tile = 0; tile < edges.first.size(); ++tile) {
    add(edges.first[tile], 2 * tile);
    add(edges.last[tile], 2 * tile + 1);
  }
  carries.first_slot.push_back(static_cast<std::int32_t>(2 * edges.first.size()));
  for (std::size_t i = 0; i < carries.rows.size(); ++i) {
    carries.parts_max =
        std::max(carries.parts_max, (carries.first_slot[i + 1] - carries.first_slot[i] + 1) / 2);
  }
  return carries;
}

}  // namespace alphasparse
