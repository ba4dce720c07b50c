#include "generator/layouts/positions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ranges.h"
#include "generator/layouts/bitmap.h"
#include "generator/layouts/dense_blocks.h"
#include "generator/layouts/diagonals.h"
#include "generator/layouts/layout_tiles.h"
#include "generator/layouts/pad_reads.h"

namespace alphasparse {

namespace {

/// Fills positions with the non-zeros of threads, and with pads. Tiles are told one after the other
/// where they begin (`begin_...`); then each is placed by itself, in whatever order.
class Placer {
 public:
  Placer(const Store& store, Layout& layout)
      : store_(store),
        threads_(*store.level(Level::thread)),
        first_nz_(store.ints({Level::thread, Name::first_nz})),
        col_(store.ints({Level::matrix, Name::nz_col})),
        source_(store.ints({Level::matrix, Name::value_source})),
        pad_columns_(store),
        layout_(layout) {
    layout.column.assign(layout.stored, 0);
    layout.value_source.assign(layout.stored, -1);
  }

  /// Interleaved threads begin together, others one by one.
  void begin_threads(const Tile& tile, std::int64_t base) {
    if (store_.interleaved) return begin_at(base);
    for (std::int32_t unit = tile.first_unit; unit < tile.end_unit; ++unit, base += tile.width)
      begin_at(base);
  }

  /// Threads of equal length, `lanes` of them side by side.
  void place_equal(const Tile& tile, std::int64_t base, std::int64_t lanes, bool all_lanes) {
    // Behind a tile cut by non-zeros stands the row of its last one; an empty row has no column.
    const std::int32_t last_nz =
        tile.first_unit < tile.end_unit ? first_nz_[tile.end_unit] - 1 : -1;
    const bool completes = threads_.cut == Cut::nnz && last_nz >= 0;
    const bool never_added = store_.own_length || store_.gang() > 0;
    const std::int32_t pad_column = completes ? col_[last_nz] : never_added ? 0 : -1;
    const std::int64_t threads = tile.end_unit - tile.first_unit;
    const std::int64_t end = all_lanes && completes ? std::max(lanes, threads) : threads;
    for (std::int64_t local = 0; local < end; ++local) {
      const std::int64_t position = base + local * (store_.interleaved ? store_.run : tile.width);
      if (local >= threads) {  // lanes behind the last thread read pads too
        place(position, tile.width, 0, 0, pad_column);
        continue;
      }
      const std::int64_t unit = tile.first_unit + local;
      place(position, tile.width, first_nz_[unit], first_nz_[unit + 1],
            first_nz_[unit] < first_nz_[unit + 1] ? pad_columns_.of(unit) : pad_column);
    }
  }

  /// Threads that have a band of dense blocks each.
  void place_bands(const Tile& tile, std::int64_t base, BandPlacer& bands) {
    for (std::int32_t unit = tile.first_unit; unit < tile.end_unit; ++unit) {
      const std::int64_t local = unit - tile.first_unit;
      if (store_.interleaved)
        bands.place(unit, base, local, tile.width);
      else
        bands.place(unit, base + local * tile.width, 0, tile.width);
    }
  }

  /// Threads whose entries lie on `width` diagonals, each with the column that lane 0 has there; of
  /// pads it is 0.
  void begin_diagonals(const Tile& tile, std::int64_t base, const std::int32_t* column,
                       std::int64_t width) {
    begin_at(base);
    layout_.diagonal_column.insert(layout_.diagonal_column.end(), column, column + width);
    layout_.diagonal_column.resize(layout_.diagonal_column.size() + tile.width - width, 0);
  }
  void place_diagonals(const Tile& tile, std::int64_t base, const std::int32_t* column,
                       std::int64_t width) {
    std::fill_n(layout_.column.begin() + base, tile.width * layout_.stride, -1);
    for (std::int32_t unit = tile.first_unit; unit < tile.end_unit; ++unit) {
      const std::int32_t lane = unit - tile.first_unit;
      for (std::int32_t nz = first_nz_[unit]; nz < first_nz_[unit + 1]; ++nz) {
        const std::int64_t k = std::lower_bound(column, column + width, col_[nz] - lane) - column;
        layout_.column[base + k * layout_.stride + lane] = col_[nz];
        layout_.value_source[base + k * layout_.stride + lane] = source_[nz];
      }
    }
  }

  /// Threads whose lengths never increase, diagonal by diagonal.
  void begin_ragged(const Tile& tile, std::int64_t base) {
    layout_.first_diagonal.push_back(static_cast<std::int32_t>(layout_.first_entry.size()));
    for_each_diagonal(tile, [&](std::int64_t, std::int32_t end_unit) {
      begin_at(base);
      base += end_unit - tile.first_unit;
    });
  }
  void place_ragged(const Tile& tile, std::int64_t base) {
    for_each_diagonal(tile, [&](std::int64_t k, std::int32_t end_unit) {
      for (std::int32_t unit = tile.first_unit; unit < end_unit; ++unit, ++base) {
        layout_.column[base] = col_[first_nz_[unit] + k];
        layout_.value_source[base] = source_[first_nz_[unit] + k];
      }
    });
  }

 private:
  void begin_at(std::int64_t base) {
    layout_.first_entry.push_back(static_cast<std::int32_t>(base));
  }

  /// Of a ragged tile: calls visit(k, the end of the threads that have a k-th non-zero).
  template <class Visit>
  void for_each_diagonal(const Tile& tile, const Visit& visit) const {
    std::int32_t end_unit = tile.end_unit;
    for (std::int64_t k = 0; k < tile.width; ++k) {
      while (first_nz_[end_unit] - first_nz_[end_unit - 1] <= k) --end_unit;
      visit(k, end_unit);
    }
  }

  void place(std::int64_t position, std::int64_t width, std::int32_t nz, std::int32_t end_nz,
             std::int32_t pad_column) {
    const std::int64_t jump = layout_.stride - store_.run;  // to the next run
    for (std::int64_t k = 0; k < width; ++k, ++position) {
      if (k % store_.run == 0 && k > 0) position += jump;
      const bool is_pad = nz + k >= end_nz;
      layout_.column[position] = is_pad ? pad_column : col_[nz + k];
      layout_.value_source[position] = is_pad ? -1 : source_[nz + k];
    }
  }

  const Store& store_;
  const LevelFacts& threads_;
  const std::vector<std::int32_t>& first_nz_;
  const std::vector<std::int32_t>& col_;
  const std::vector<std::int32_t>& source_;
  const PadColumns pad_columns_;
  Layout& layout_;
};

/// Which lanes of gangs add pads alone.
std::vector<std::uint32_t> empty_lanes(const Store& store) {
  const int gang = store.gang(), words = words_of_lanes(gang);
  const LevelFacts& threads = *store.level(Level::thread);
  const auto& first_nz = store.ints({Level::thread, Name::first_nz});
  const std::vector<Tile> tiles = tiles_of(store);
  const std::int64_t of_one = (threads.units + gang - 1) / gang;
  const auto gangs = tiles.size() == 1 ? std::max<std::int64_t>(1, of_one)
                                       : static_cast<std::int64_t>(tiles.size());
  std::vector<std::uint32_t> empty(gangs * words, 0);
  for (std::size_t number = 0; number < tiles.size(); ++number) {
    const Tile& tile = tiles[number];
    for (std::int32_t unit = tile.first_unit; unit < tile.end_unit && tile.width > 0; ++unit) {
      if (first_nz[unit] < first_nz[unit + 1]) continue;
      const std::int64_t lane = static_cast<std::int64_t>(number) * gang + unit - tile.first_unit;
      empty[lane / gang * words + lane % gang / 32] |= 1u << lane % gang % 32;
    }
  }
  const bool any = std::any_of(empty.begin(), empty.end(), [](std::uint32_t word) { return word; });
  return any ? empty : std::vector<std::uint32_t>{};
}

/// The tiles and where each begins; one more is the end of all.
struct PlacedTiles {
  std::vector<Tile> tiles;
  std::vector<std::int64_t> base;  ///< [tiles + 1]
};

PlacedTiles placed_tiles(const Store& store, std::int64_t lanes) {
  PlacedTiles placed;
  placed.tiles = tiles_of(store);
  const bool all_lanes = has_all_lanes(store);
  placed.base.reserve(placed.tiles.size() + 1);
  std::int64_t base = 0;
  for (const Tile& tile : placed.tiles) {
    placed.base.push_back(base);
    base = store.ragged ? store.ints({Level::thread, Name::first_nz})[tile.end_unit]
                        : base + tile_entries(store, tile, lanes, all_lanes);
  }
  placed.base.push_back(base);
  return placed;
}

/// Positions that every thread reads; 0 where they differ.
std::int32_t common_width(const Store& store, const std::vector<Tile>& tiles) {
  if (tiles.empty() || store.ragged || store.own_length) return 0;
  const bool is_common = std::all_of(tiles.begin(), tiles.end(), [&](const Tile& tile) {
    return tile.width == tiles.front().width;
  });
  return is_common ? static_cast<std::int32_t>(tiles.front().width) : 0;
}

void place_tiles(const Store& store, std::int64_t lanes, Layout& layout) {
  layout.in_order = false;
  CHECK(store.interleaved || !store.diagonals);
  if (store.interleaved && !store.ragged) {
    layout.stride = static_cast<std::int32_t>(lanes * store.run);
  }
  const auto [tiles, base] = placed_tiles(store, lanes);
  const bool all_lanes = has_all_lanes(store);
  layout.width = common_width(store, tiles);
  const Diagonals diagonals = store.diagonals ? diagonals_of(store) : Diagonals{};
  const auto column_of = [&](std::size_t tile) {
    return diagonals.column.data() + diagonals.first[tile];
  };
  const auto width_of = [&](std::size_t tile) {
    return std::int64_t{diagonals.first[tile + 1]} - diagonals.first[tile];
  };
  Placer placer(store, layout);
  std::optional<BandPlacer> bands;
  if (store.by_band) bands.emplace(store, layout);
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    if (store.ragged)
      placer.begin_ragged(tiles[i], base[i]);
    else if (store.diagonals)
      placer.begin_diagonals(tiles[i], base[i], column_of(i), width_of(i));
    else
      placer.begin_threads(tiles[i], base[i]);
  }
  const auto count = static_cast<std::int64_t>(tiles.size());
  const auto place = [&, &tiles = tiles, &base = base](std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) {
      if (store.ragged)
        placer.place_ragged(tiles[i], base[i]);
      else if (store.diagonals)
        placer.place_diagonals(tiles[i], base[i], column_of(i), width_of(i));
      else if (bands)
        placer.place_bands(tiles[i], base[i], *bands);
      else
        placer.place_equal(tiles[i], base[i], lanes, all_lanes);
    }
  };
  for_ranges(count, place, items_least(count, layout.stored));
  if (store.ragged) {
    layout.first_diagonal.push_back(static_cast<std::int32_t>(layout.first_entry.size()));
  }
  layout.first_entry.push_back(static_cast<std::int32_t>(base.back()));
  const bool masks_itself = store.by_band || store.diagonals;
  if (store.gang() > 0 && store.padded && !masks_itself) layout.empty_lanes = empty_lanes(store);
}

void place_bits(const Store& store, Layout& layout) {
  layout.in_order = false;
  layout.bitmap = bitmap_of(store);
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  const auto& source = store.ints({Level::matrix, Name::value_source});
  const std::vector<std::int32_t>& order = layout.bitmap->order;
  layout.column.resize(order.size());
  layout.value_source.resize(order.size());
  for_ranges(static_cast<std::int64_t>(order.size()), [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t position = first; position < end; ++position) {
      layout.column[position] = col[order[position]];
      layout.value_source[position] = source[order[position]];
    }
  });
}

}  // namespace

std::int64_t stored_entries(const Store& store) {
  if (!is_placed(store) || store.ragged) return store.nnz();
  const std::int64_t lanes = lanes_of(store);
  std::int64_t stored = 0;
  const bool all_lanes = has_all_lanes(store);
  for (const Tile& tile : tiles_of(store)) stored += tile_entries(store, tile, lanes, all_lanes);
  return stored;
}

std::int64_t read_entries(const Store& store) {
  if (store.own_length || store.diagonals) return store.nnz();
  if (!store.padded && !store.by_band) return store.nnz();
  std::int64_t read = 0;
  for (const Tile& tile : tiles_of(store)) read += tile.width * (tile.end_unit - tile.first_unit);
  return read;
}

Result<Layout> assign_positions(const Store& store) {
  Layout layout;
  layout.stored = stored_entries(store);
  const std::int64_t lanes = is_placed(store) ? lanes_of(store) : 1;
  if (layout.stored + std::max<std::int64_t>(lanes * store.run, 1024) > index_limit) {
    return Failure{Status::pruned,
                   fmt::format("{} stored entries, pads included, exceed the limit of 2^31 - 1",
                               layout.stored)};
  }
  if (is_placed(store)) {
    place_tiles(store, lanes, layout);
  } else if (store.bitmap_cols > 0) {
    place_bits(store, layout);
  } else {
    layout.column = store.ints({Level::matrix, Name::nz_col});
    layout.value_source = store.ints({Level::matrix, Name::value_source});
  }
  const auto no_column = std::find(layout.column.begin(), layout.column.end(), -1);
  layout.predicated = no_column != layout.column.end();
  return layout;
}

}  // namespace alphasparse
