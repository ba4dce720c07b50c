#include "generator/layouts/pad_reads.h"

#include <algorithm>

namespace alphasparse {

bool visit_fill(const Store& store, const PadVisit& visit) {
  if (!store.filled) return false;
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  const Sources source = store.sources();
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

PadColumns::PadColumns(const Store& store, const std::vector<std::int32_t>& first_nz)
    : col_(store.ints({Level::matrix, Name::nz_col})),
      first_nz_(first_nz),
      row_first_(store.ints({Level::matrix, Name::row_first_nz})) {
  if (store.mirrored() && store.level(Level::thread)->tiling != Tiling::nnz)
    first_row_ = &store.ints({Level::thread, Name::first_row});
}

bool adds_pads(const Store& store) {
  return layout_kind(store).pads(store, [](const PadRead&) { return true; });
}

Store pad_store(const Store& store) {
  Store kept = store;
  kept.forget_sources();
  return kept;
}

std::vector<PadRead> pad_reads(const std::vector<Store>& branches) {
  std::vector<PadRead> reads;
  for (const Store& store : branches) {
    const auto& row_origin = store.ints({Level::matrix, Name::row_origin});
    const std::vector<std::int32_t>* const col_origin =
        store.gathers_x() ? &store.ints({Level::matrix, Name::col_origin}) : nullptr;
    layout_kind(store).pads(store, [&](const PadRead& pad) {
      std::int32_t row = row_origin[pad.row];
      std::int32_t column = col_origin ? (*col_origin)[pad.column] : pad.column;
      if (const auto& own = store.own_order()) {
        row = own->rows[row];
        column = own->columns[column];
      }
      reads.push_back({row, column});
      if (store.mirrored() && row != column) reads.push_back({column, row});  // its image
      return false;
    });
  }
  return reads;
}

}  // namespace alphasparse
