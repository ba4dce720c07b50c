// carries: the parts of rows that tiles share. They are kept in scratch memory and added in order
// by a launch of their own: no atomics, no waiting, the same bits in every run.
//
// A tile has two slots: 2 t for its first row, 2 t + 1 for its last, unused where that is the same.
// The slots of a row ascend with its tiles. The first is where it begins, and all others are even.
// They end before the slot of the next row that is shared.
//
// Example, tiles with rows 0 1 | 1 | 1 2 3: rows 0 1 3, first slots 0 1 5, end 6. Row 1 adds the
// slots 1, 2 and 4.
#pragma once
#include <cstdint>
#include <vector>

#include "generator/facts/store.h"

namespace alphasparse {

/// First and last row of each tile, logical; [tiles] each.
struct TileEdges {
  std::vector<std::int32_t> first, last;
};

/// The edges of the parts of a level that is cut by non-zeros or along a merge path.
TileEdges tile_edges(const Store& store, Level level);

struct Carries {
  std::vector<std::int32_t> rows;        ///< [n] in the order of the tiles, each once
  std::vector<std::int32_t> first_slot;  ///< [n + 1]
  std::int32_t parts_max = 0;            ///< most parts of one row
};

Carries find_carries(const TileEdges& edges);

}  // namespace alphasparse
