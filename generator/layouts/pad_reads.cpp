#include "generator/layouts/pad_reads.h"

#include <algorithm>

#include "generator/layouts/dense_blocks.h"
#include "generator/layouts/layout_tiles.h"

namespace alphasparse {

namespace {

/// Fill stands among the entries of its row, and repeats a column of it. Most stands in runs.
template <class Visit>
bool visit_fill(const Store& store, const Visit& visit) {
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  const auto& source = store.ints({Level::matrix, Name::value_source});
  for (std::int32_t row = 0; row < store.rows(); ++row) {
    PadRead last{row, -1};
    for (std::int32_t nz = first[row]; nz < first[row + 1]; ++nz) {
      if (source[nz] >= 0 || col[nz] == last.column || col[nz] < 0) continue;
      last.column = col[nz];
      if (visit(last)) return true;
    }
  }
  return false;
}

class PadFinder {
 public:
  explicit PadFinder(const Store& store)
      : store_(store),
        first_nz_(store.ints({Level::thread, Name::first_nz})),
        first_row_(store.ints({Level::thread, Name::first_row})),
        row_first_(store.ints({Level::matrix, Name::row_first_nz})),
        by_nnz_(store.level(Level::thread)->cut == Cut::nnz),
        lanes_(lanes_of(store)),
        pad_columns_(store) {}

  /// Behind the bands of threads that have no bits.
  template <class Visit>
  bool visit_bands(const Visit& visit) const {
    const auto& col = store_.ints({Level::matrix, Name::nz_col});
    for (const Tile& tile : tiles_of(store_)) {
      for (std::int32_t unit = tile.first_unit; unit < tile.end_unit; ++unit) {
        if (band_entries(store_, unit) == tile.width) continue;
        for (std::int32_t row = first_row_[unit]; row < first_row_[unit + 1]; ++row) {
          const std::int32_t end = row_first_[row + 1];
          for (std::int32_t nz = std::max(row_first_[row], end - store_.band_cols); nz < end; ++nz)
            if (visit(PadRead{row, col[nz]})) return true;
        }
      }
    }
    return false;
  }

  template <class Visit>
  bool visit_threads(const Visit& visit) const {
    const bool fills_tiles = by_nnz_ && has_all_lanes(store_);
    for (const Tile& tile : tiles_of(store_)) {
      for (std::int32_t unit = tile.first_unit; unit < tile.end_unit; ++unit) {
        const std::int64_t length = first_nz_[unit + 1] - first_nz_[unit];
        const std::int64_t read =
            store_.own_length ? rounded_up(length, store_.multiple) : tile.width;
        // Lanes behind the last thread of a full tile add pads of its row.
        const bool is_followed =
            fills_tiles && unit + 1 == tile.end_unit && lanes_ > tile.end_unit - tile.first_unit;
        const bool adds = length > 0 && (length < read || is_followed);
        if (adds && visit(PadRead{row_of_pads(unit), pad_columns_.of(unit)})) return true;
      }
    }
    return false;
  }

 private:
  std::int32_t row_of_pads(std::int32_t unit) const {
    std::int32_t row = first_row_[unit];
    while (row_first_[row + 1] < first_nz_[unit + 1]) ++row;
    return row;
  }

  const Store& store_;
  const std::vector<std::int32_t>&first_nz_, &first_row_, &row_first_;
  const bool by_nnz_;
  const std::int64_t lanes_;
  const PadColumns pad_columns_;
};

/// Calls visit(pad), by rows and columns of the store, until it returns true; then true.
template <class Visit>
bool visit_pads(const Store& store, const Visit& visit) {
  if (store.by_band) return !has_gaps(store) && store.padded && PadFinder(store).visit_bands(visit);
  const bool has_padded_threads = is_placed(store) && !store.ragged && !store.diagonals;
  if (has_padded_threads && PadFinder(store).visit_threads(visit)) return true;
  return store.filled && visit_fill(store, visit);
}

}  // namespace

PadColumns::PadColumns(const Store& store)
    : col_(store.ints({Level::matrix, Name::nz_col})),
      first_nz_(store.ints({Level::thread, Name::first_nz})),
      row_first_(store.ints({Level::matrix, Name::row_first_nz})) {
  if (store.mirrored && store.level(Level::thread)->cut != Cut::nnz)
    first_row_ = &store.ints({Level::thread, Name::first_row});
}

bool adds_pads(const Store& store) {
  return visit_pads(store, [](const PadRead&) { return true; });
}

Store pad_store(const Store& store) {
  Store kept = store;
  if (!store.filled) kept.set({Level::matrix, Name::value_source}, Ints());
  return kept;
}

std::vector<PadRead> pad_reads(const std::vector<Store>& branches) {
  std::vector<PadRead> reads;
  for (const Store& store : branches) {
    const auto& row_origin = store.ints({Level::matrix, Name::row_origin});
    const std::vector<std::int32_t>* const col_origin =
        store.gathers_x() ? &store.ints({Level::matrix, Name::col_origin}) : nullptr;
    visit_pads(store, [&](const PadRead& pad) {
      const std::int32_t row = row_origin[pad.row];
      const std::int32_t column = col_origin ? (*col_origin)[pad.column] : pad.column;
      reads.push_back({row, column});
      if (store.mirrored && row != column) reads.push_back({column, row});  // its image
      return false;
    });
  }
  return reads;
}

}  // namespace alphasparse
