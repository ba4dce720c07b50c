#include "generator/layouts/layout_tiles.h"

#include <algorithm>

#include "generator/layouts/dense_blocks.h"
#include "generator/layouts/diagonals.h"

namespace alphasparse {

bool is_placed(const Store& store) {
  const LevelFacts* threads = store.level(Level::thread);
  return threads &&
         (threads->cut == Cut::nnz || store.padded || store.interleaved || store.by_band);
}

std::int64_t rounded_up(std::int64_t length, std::int64_t multiple) {
  return (length + multiple - 1) / multiple * multiple;
}

namespace {

/// Threads whose bands of blocks lie one behind the other are tiles of their own.
std::vector<Tile> tiles_of_bands(const Store& store) {
  std::vector<Tile> tiles;
  const auto threads = static_cast<std::int32_t>(store.level(Level::thread)->units);
  for (std::int32_t unit = 0; unit < threads; ++unit) {
    tiles.push_back({unit, unit + 1, band_entries(store, unit)});
  }
  return tiles;
}

}  // namespace

std::vector<Tile> tiles_of(const Store& store) {
  if (store.by_band && !store.padded && !store.interleaved) return tiles_of_bands(store);
  const LevelFacts& threads = *store.level(Level::thread);
  const auto& first_child = store.ints({threads.parent, Name::first_child});
  const auto& first_nz = store.ints({Level::thread, Name::first_nz});
  const Diagonals diagonals = store.diagonals ? diagonals_of(store) : Diagonals{};
  std::vector<Tile> tiles;
  tiles.reserve(first_child.size() - 1);
  for (std::size_t parent = 0; parent + 1 < first_child.size(); ++parent) {
    Tile tile{first_child[parent], first_child[parent + 1], threads.items};
    if (store.diagonals) tile.width = diagonals.first[parent + 1] - diagonals.first[parent];
    for (std::int32_t unit = tile.first_unit; unit < tile.end_unit && threads.items == 0; ++unit) {
      tile.width =
          std::max<std::int64_t>(tile.width, store.by_band ? band_entries(store, unit)
                                                           : first_nz[unit + 1] - first_nz[unit]);
    }
    tile.width = rounded_up(tile.width, store.multiple);
    tiles.push_back(tile);
  }
  if (store.one_width) {
    std::int64_t widest = 0;
    for (const Tile& tile : tiles) widest = std::max(widest, tile.width);
    for (Tile& tile : tiles) tile.width = widest;
  }
  return tiles;
}

std::int64_t lanes_of(const Store& store) {
  const LevelFacts& threads = *store.level(Level::thread);
  const LevelFacts* parent = store.level(threads.parent);
  if (parent && parent->cut == Cut::nnz) return parent->items / threads.items;
  if (threads.parent == Level::warp && store.on_cpu()) return std::max(1, store.gang());
  if (threads.parent == Level::warp) return std::max<std::int64_t>(32, threads.children_max);
  return (std::max<std::int64_t>(threads.children_max, 1) + 31) / 32 * 32;
}

bool has_all_lanes(const Store& store) {
  const LevelFacts* parent = store.level(store.level(Level::thread)->parent);
  return store.interleaved || (parent && parent->cut == Cut::nnz && store.tiles_are_full());
}

std::int64_t tile_entries(const Store& store, const Tile& tile, std::int64_t lanes,
                          bool all_lanes) {
  const std::int64_t threads = tile.end_unit - tile.first_unit;
  if (threads == 0 && !store.one_width) return 0;
  return tile.width * (all_lanes ? lanes : threads);
}

}  // namespace alphasparse
