#include "generator/layouts/dense_blocks.h"

#include <algorithm>

#include "base/result.h"
#include "generator/facts/layout.h"

namespace alphasparse {

std::int32_t block_width(const Store& store) {
  return std::max(1, std::min(store.band_cols, store.cols()));
}

std::int32_t block_places(const Store& store) { return store.band_rows * block_width(store); }

bool has_gaps(const Store& store) {
  return store.filled || (store.padded && store.row_facts().empty_rows > 0);
}

std::int64_t band_entries(const Store& store, std::int64_t thread) {
  const std::int32_t row = store.ints({Level::thread, Name::first_row})[thread];
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  return std::int64_t{first[row + 1] - first[row]} / store.band_cols * block_places(store);
}

BandPlacer::BandPlacer(const Store& store, Layout& layout)
    : store_(store),
      layout_(layout),
      first_row_(store.ints({Level::thread, Name::first_row})),
      row_first_(store.ints({Level::matrix, Name::row_first_nz})),
      col_(store.ints({Level::matrix, Name::nz_col})),
      source_(store.ints({Level::matrix, Name::value_source})),
      width_(block_width(store)),
      places_(block_places(store)) {
  DenseBlocks& blocks = layout.blocks.emplace();
  blocks.first_col.assign(layout.stored / places_, 0);
  if (has_gaps(store)) blocks.bits.assign(layout.stored / places_, 0);
}

/// The first column of a block that begins `at` so many positions into the rows [row, end_row).
std::int32_t BandPlacer::column_of_block(std::int32_t row, std::int32_t end_row,
                                         std::int32_t at) const {
  for (; row < end_row; ++row) {
    for (std::int32_t nz = row_first_[row] + at; nz < row_first_[row] + at + store_.band_cols;
         ++nz) {
      if (source_[nz] < 0) continue;
      return std::min(col_[nz] / store_.band_cols * store_.band_cols, store_.cols() - width_);
    }
  }
  CHECK(!"a block without an entry");
  return 0;
}

void BandPlacer::place(std::int64_t thread, std::int64_t base, std::int64_t local,
                       std::int64_t width) {
  const std::int32_t row = first_row_[thread], end_row = first_row_[thread + 1];
  const std::int32_t blocks = (row_first_[row + 1] - row_first_[row]) / store_.band_cols;
  for (std::int32_t k = 0; k < width / places_; ++k) {
    const std::int64_t block = base / places_ + std::int64_t{k} * layout_.stride + local;
    const std::int64_t first = base + std::int64_t{k} * places_ * layout_.stride + local;
    const std::int32_t at = std::min(k, blocks - 1) * store_.band_cols;
    const std::int32_t first_col = blocks == 0 ? 0 : column_of_block(row, end_row, at);
    layout_.blocks->first_col[block] = first_col;
    for (std::int32_t r = 0; row + r < end_row; ++r) {
      const auto position = [&](std::int32_t c) {
        return first + std::int64_t{r * width_ + c} * layout_.stride;
      };
      // A place that the row does not have repeats one that it has, as far as there is any.
      const std::int32_t own = blocks == 0 ? -1 : col_[row_first_[row + r] + at];
      for (std::int32_t c = 0; c < width_; ++c) layout_.column[position(c)] = own;
      if (k >= blocks) continue;
      for (std::int32_t c = 0; c < store_.band_cols; ++c) {
        const std::int32_t nz = row_first_[row + r] + at + c;
        if (source_[nz] < 0) continue;
        const std::int32_t place = col_[nz] - first_col;
        layout_.column[position(place)] = col_[nz];
        layout_.value_source[position(place)] = source_[nz];
        if (layout_.blocks->bits.empty()) continue;
        layout_.blocks->bits[block] |= 1u << (r * width_ + place);
      }
    }
  }
}

}  // namespace alphasparse
