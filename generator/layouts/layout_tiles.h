// layout_tiles: the threads of each parent, which are placed together, and the room that they get.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "generator/facts/layout.h"
#include "generator/facts/store.h"

namespace alphasparse {

/// The threads of one parent, and how many positions each of them gets.
struct Tile {
  std::int32_t first_part, end_part;
  std::int64_t width;
};

using Tiles = std::vector<Tile>;

std::int64_t rounded_up(std::int64_t length, std::int64_t multiple);

/// A tile for each parent, as wide as the longest of its threads. length_of(part) tells their
/// lengths.
template <class Length>
Tiles tiles_of_parents(const Store& store, const Length& length_of) {
  const LevelFacts& threads = *store.level(Level::thread);
  const auto& first_child = store.ints({threads.parent, Name::first_child});
  Tiles tiles;
  tiles.reserve(first_child.size() - 1);
  for (std::size_t parent = 0; parent + 1 < first_child.size(); ++parent) {
    Tile tile{first_child[parent], first_child[parent + 1], threads.part_size};
    for (std::int32_t part = tile.first_part; part < tile.end_part && threads.part_size == 0;
         ++part)
      tile.width = std::max<std::int64_t>(tile.width, length_of(part));
    tiles.push_back(tile);
  }
  return tiles;
}

/// All tiles as wide as the widest.
void widen(Tiles& tiles);

/// Positions that every thread reads; 0 where they differ.
std::int32_t common_width(const Tiles& tiles);

/// Threads that are stored side by side: those of a full tile, a warp's 32, a gang, else the
/// parent's most. They are rounded up to whole warps so that every column of a tile begins aligned.
std::int64_t count_lanes(const Store& store);

/// A transposed tile has room for all lanes, and workers that reduce a tile together read all of
/// it.
bool has_all_lanes(const Store& store);

/// Where each tile begins; one more is the end of all. Tiles have no gaps between them.
std::vector<std::int64_t> first_positions(const Store& store, const Tiles& tiles);

/// Positions of all tiles, and of those, how many some thread reads.
std::int64_t count_positions(const Store& store, const Tiles& tiles);
std::int64_t read_positions(const Tiles& tiles);

/// Gives a layout its arrays, full of pads, for tiles that begin at `first`. Calls begin(i) for one
/// tile after the other, then write(i) for each, in any order.
void write_tiles(const std::vector<std::int64_t>& first, Layout& layout,
                 const std::function<void(std::size_t tile)>& begin,
                 const std::function<void(std::size_t tile)>& write);

/// The lanes of gangs that add pads alone, as a layout keeps them (Layout::empty_lanes).
std::vector<std::uint32_t> empty_lanes(const Store& store, const Tiles& tiles);

/// Notes where a tile begins: transposed threads begin together, others one by one.
void begin_threads(const Store& store, const Tile& tile, std::int64_t base, Layout& layout);

}  // namespace alphasparse
