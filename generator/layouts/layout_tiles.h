// layout_tiles: the threads of each parent, which are placed together, and the room that they get.
#pragma once
#include <cstdint>
#include <vector>

#include "generator/facts/store.h"

namespace alphasparse {

/// The threads of one parent, and how many positions each of them gets.
struct Tile {
  std::int32_t first_unit, end_unit;
  std::int64_t width;
};

/// Whether threads are placed one by one, and not simply where their non-zeros lie.
bool is_placed(const Store& store);

std::int64_t rounded_up(std::int64_t length, std::int64_t multiple);

/// The tiles of a store that places threads.
std::vector<Tile> tiles_of(const Store& store);

/// Threads that are stored side by side: those of a full tile, a warp's 32, a gang, else the
/// parent's most. They are rounded up to whole warps so that every column of a tile begins aligned.
std::int64_t lanes_of(const Store& store);

/// A transposed tile has room for all lanes, and workers that reduce a tile together read all of
/// it.
bool has_all_lanes(const Store& store);

/// Positions of a tile.
std::int64_t tile_entries(const Store& store, const Tile& tile, std::int64_t lanes, bool all_lanes);

}  // namespace alphasparse
