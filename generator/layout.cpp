#include "generator/layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace alphasparse {

namespace {

/// The threads of one parent, and how many positions each of them gets.
struct Tile {
  std::int32_t first_unit, end_unit;
  std::int64_t width;
};

/// Whether threads are placed one by one, and not simply where their non-zeros lie.
bool is_placed(const Store& store) {
  const LevelFacts* threads = store.level(Level::thread);
  return threads && (threads->cut == Cut::nnz || store.padded || store.interleaved);
}

std::vector<Tile> tiles_of(const Store& store) {
  const LevelFacts& threads = *store.level(Level::thread);
  const auto& first_child = store.ints({threads.parent, Name::first_child});
  const auto& first_nz = store.ints({Level::thread, Name::first_nz});
  std::vector<Tile> tiles;
  tiles.reserve(first_child.size() - 1);
  for (std::size_t parent = 0; parent + 1 < first_child.size(); ++parent) {
    Tile tile{first_child[parent], first_child[parent + 1], threads.items};
    for (std::int32_t unit = tile.first_unit; unit < tile.end_unit && threads.items == 0; ++unit) {
      tile.width = std::max<std::int64_t>(tile.width, first_nz[unit + 1] - first_nz[unit]);
    }
    tiles.push_back(tile);
  }
  return tiles;
}

/// Threads that are stored side by side: those of a full tile, a warp's 32, else the parent's most,
/// rounded up to whole warps so that every column of a tile begins aligned.
std::int64_t lanes_of(const Store& store) {
  const LevelFacts& threads = *store.level(Level::thread);
  const LevelFacts* parent = store.level(threads.parent);
  if (parent && parent->cut == Cut::nnz) return parent->items / threads.items;
  if (threads.parent == Level::warp) return std::max<std::int64_t>(32, threads.children_max);
  return (std::max<std::int64_t>(threads.children_max, 1) + 31) / 32 * 32;
}

/// A transposed tile has room for all lanes, and workers that reduce a tile together read all of
/// it.
bool has_all_lanes(const Store& store) {
  const LevelFacts* parent = store.level(store.level(Level::thread)->parent);
  return store.interleaved || (parent && parent->cut == Cut::nnz && store.tiles_are_full());
}

std::int64_t tile_entries(const Tile& tile, std::int64_t lanes, bool all_lanes) {
  const std::int64_t threads = tile.end_unit - tile.first_unit;
  if (threads == 0) return 0;
  return tile.width * (all_lanes ? lanes : threads);
}

/// Fills the positions of one thread that starts at `position`.
class Placer {
 public:
  Placer(const Store& store, Layout& layout)
      : col_(store.ints({Level::matrix, Name::nz_col})),
        source_(store.ints({Level::matrix, Name::value_source})),
        layout_(layout) {}

  void place(std::int64_t position, std::int64_t width, std::int32_t nz, std::int32_t end_nz,
             std::int32_t pad_column) {
    if (nz < end_nz) pad_column = col_[end_nz - 1];
    for (std::int64_t k = 0; k < width; ++k, position += layout_.stride) {
      const bool is_pad = nz + k >= end_nz;
      layout_.column[position] = is_pad ? pad_column : col_[nz + k];
      layout_.value_source[position] = is_pad ? -1 : source_[nz + k];
      layout_.predicated = layout_.predicated || layout_.column[position] < 0;
    }
  }

 private:
  const std::vector<std::int32_t>& col_;
  const std::vector<std::int32_t>& source_;
  Layout& layout_;
};

}  // namespace

std::int64_t stored_entries(const Store& store) {
  if (!is_placed(store)) return store.nnz();
  const std::int64_t lanes = lanes_of(store);
  std::int64_t stored = 0;
  const bool all_lanes = has_all_lanes(store);
  for (const Tile& tile : tiles_of(store)) stored += tile_entries(tile, lanes, all_lanes);
  return stored;
}

Result<Layout> assign_positions(const Store& store) {
  Layout layout;
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  const auto& source = store.ints({Level::matrix, Name::value_source});
  layout.stored = stored_entries(store);
  const std::int64_t lanes = is_placed(store) ? lanes_of(store) : 1;
  if (layout.stored + std::max<std::int64_t>(lanes, 1024) > index_limit) {
    return Failure{Status::pruned,
                   fmt::format("{} stored entries, pads included, exceed the limit of 2^31 - 1",
                               layout.stored)};
  }
  if (!is_placed(store)) {
    layout.column = col;
    layout.value_source = source;
    layout.predicated = store.filled && std::find(col.begin(), col.end(), -1) != col.end();
    return layout;
  }
  const LevelFacts& threads = *store.level(Level::thread);
  const auto& first_nz = store.ints({Level::thread, Name::first_nz});
  const std::vector<Tile> tiles = tiles_of(store);
  layout.in_order = false;
  const bool all_lanes = has_all_lanes(store);
  layout.stride = store.interleaved ? static_cast<std::int32_t>(lanes) : 1;
  layout.column.assign(layout.stored, 0);
  layout.value_source.assign(layout.stored, -1);
  layout.width = tiles.empty() ? 0 : static_cast<std::int32_t>(tiles[0].width);
  Placer placer(store, layout);
  std::int64_t base = 0;
  for (const Tile& tile : tiles) {
    if (tile.width != layout.width) layout.width = 0;
    const bool cut_by_nnz = threads.cut == Cut::nnz;
    // Behind a tile cut by non-zeros stands the row of its last one; an empty row has no column at
    // all.
    const std::int32_t last_nz = tile.first_unit < tile.end_unit ? first_nz[tile.end_unit] - 1 : -1;
    const std::int32_t pad_column = cut_by_nnz && last_nz >= 0 ? col[last_nz] : -1;
    if (store.interleaved) layout.first_entry.push_back(static_cast<std::int32_t>(base));
    for (std::int32_t unit = tile.first_unit; unit < tile.end_unit; ++unit) {
      const std::int64_t local = unit - tile.first_unit;
      const std::int64_t position = base + (store.interleaved ? local : local * tile.width);
      if (!store.interleaved) layout.first_entry.push_back(static_cast<std::int32_t>(position));
      placer.place(position, tile.width, first_nz[unit], first_nz[unit + 1], pad_column);
    }
    // Lanes behind the last thread read pads too.
    for (std::int64_t local = tile.end_unit - tile.first_unit;
         local < lanes && all_lanes && cut_by_nnz && last_nz >= 0; ++local) {
      const std::int64_t position = base + (store.interleaved ? local : local * tile.width);
      placer.place(position, tile.width, 0, 0, pad_column);
    }
    base += tile_entries(tile, lanes, all_lanes);
  }
  layout.first_entry.push_back(static_cast<std::int32_t>(base));
  return layout;
}

}  // namespace alphasparse
