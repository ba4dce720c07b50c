#include "generator/layouts/layout_tiles.h"

#include <algorithm>

#include "base/ranges.h"

namespace alphasparse {

std::int64_t rounded_up(std::int64_t length, std::int64_t multiple) {
  return (length + multiple - 1) / multiple * multiple;
}

void widen(Tiles& tiles) {
  std::int64_t widest = 0;
  for (const Tile& tile : tiles) widest = std::max(widest, tile.width);
  for (Tile& tile : tiles) tile.width = widest;
}

std::int32_t common_width(const Tiles& tiles) {
  if (tiles.empty()) return 0;
  const bool is_common = std::all_of(tiles.begin(), tiles.end(), [&](const Tile& tile) {
    return tile.width == tiles.front().width;
  });
  return is_common ? static_cast<std::int32_t>(tiles.front().width) : 0;
}

std::int64_t count_lanes(const Store& store) {
  const LevelFacts& threads = *store.level(Level::thread);
  const LevelFacts* parent = store.level(threads.parent);
  if (parent && parent->tiling == Tiling::nnz) return parent->part_size / threads.part_size;
  if (threads.parent == Level::warp && store.on_cpu()) return std::max(1, store.gang());
  if (threads.parent == Level::warp) return std::max<std::int64_t>(32, threads.children_max);
  return (std::max<std::int64_t>(threads.children_max, 1) + 31) / 32 * 32;
}

bool has_all_lanes(const Store& store) {
  const LevelFacts* parent = store.level(store.level(Level::thread)->parent);
  return side_by_side(store.layout) ||
         (parent && parent->tiling == Tiling::nnz && store.tiles_are_full());
}

std::vector<std::int64_t> first_positions(const Store& store, const Tiles& tiles) {
  const std::int64_t lanes = count_lanes(store);
  const bool all_lanes = has_all_lanes(store), one_width = has_one_width(store.layout);
  std::vector<std::int64_t> first;
  first.reserve(tiles.size() + 1);
  std::int64_t base = 0;
  for (const Tile& tile : tiles) {
    first.push_back(base);
    const std::int64_t threads = tile.end_part - tile.first_part;
    if (threads > 0 || one_width) base += tile.width * (all_lanes ? lanes : threads);
  }
  first.push_back(base);
  return first;
}

std::int64_t count_positions(const Store& store, const Tiles& tiles) {
  return first_positions(store, tiles).back();
}

std::int64_t read_positions(const Tiles& tiles) {
  std::int64_t read = 0;
  for (const Tile& tile : tiles) read += tile.width * (tile.end_part - tile.first_part);
  return read;
}

void write_tiles(const std::vector<std::int64_t>& first, Layout& layout,
                 const std::function<void(std::size_t tile)>& begin,
                 const std::function<void(std::size_t tile)>& write) {
  layout.in_order = false;
  layout.column.assign(layout.stored, 0);
  layout.value_source.assign(layout.stored, -1);
  const auto count = static_cast<std::int64_t>(first.size()) - 1;
  for (std::int64_t tile = 0; tile < count; ++tile) begin(tile);
  const auto write_some = [&](std::int64_t from, std::int64_t end) {
    for (std::int64_t tile = from; tile < end; ++tile) write(tile);
  };
  for_ranges(count, write_some, grain_size(count, layout.stored));
  layout.first_entry.push_back(static_cast<std::int32_t>(first.back()));
}

void begin_threads(const Store& store, const Tile& tile, std::int64_t base, Layout& layout) {
  if (side_by_side(store.layout)) {
    layout.first_entry.push_back(static_cast<std::int32_t>(base));
    return;
  }
  for (std::int32_t part = tile.first_part; part < tile.end_part; ++part, base += tile.width)
    layout.first_entry.push_back(static_cast<std::int32_t>(base));
}

std::vector<std::uint32_t> empty_lanes(const Store& store, const Tiles& tiles) {
  const int gang = store.gang(), words = words_of_lanes(gang);
  const LevelFacts& threads = *store.level(Level::thread);
  const auto& first_nz = store.ints({Level::thread, Name::first_nz});
  const std::int64_t of_one = (threads.parts + gang - 1) / gang;
  const auto gangs = tiles.size() == 1 ? std::max<std::int64_t>(1, of_one)
                                       : static_cast<std::int64_t>(tiles.size());
  std::vector<std::uint32_t> empty(gangs * words, 0);
  for (std::size_t number = 0; number < tiles.size(); ++number) {
    const Tile& tile = tiles[number];
    for (std::int32_t part = tile.first_part; part < tile.end_part && tile.width > 0; ++part) {
      if (first_nz[part] < first_nz[part + 1]) continue;
      const std::int64_t lane = static_cast<std::int64_t>(number) * gang + part - tile.first_part;
      empty[lane / gang * words + lane % gang / 32] |= 1u << lane % gang % 32;
    }
  }
  const bool any = std::any_of(empty.begin(), empty.end(), [](std::uint32_t word) { return word; });
  return any ? empty : std::vector<std::uint32_t>{};
}

}  // namespace alphasparse
