#include "generator/layouts/bitmap.h"

#include <algorithm>
#include <array>

#include "base/ranges.h"

namespace alphasparse {

namespace {

class BitmapMaker {
 public:
  explicit BitmapMaker(const Store& store)
      : store_(store),
        first_(store.ints({Level::matrix, Name::row_first_nz})),
        col_(store.ints({Level::matrix, Name::nz_col})),
        cols_(store.bitmap_cols) {}

  /// Of the bands [first, end): where their blocks and entries begin is counted from the first.
  Bitmap make(std::int64_t first, std::int64_t end) {
    for (std::int64_t band = first; band < end; ++band) {
      bitmap_.band_first.push_back(static_cast<std::int32_t>(bitmap_.first_col.size()));
      add_band(static_cast<std::int32_t>(band * bitmap_rows));
    }
    return std::move(bitmap_);
  }

 private:
  void add_band(std::int32_t band) {
    const auto rows = std::min(bitmap_rows, store_.rows() - band);
    std::array<std::int32_t, bitmap_rows> next;  // non-zero of each row that is not placed yet
    std::copy_n(first_.begin() + band, rows, next.begin());
    std::vector<std::int32_t> blocks;
    for (std::int32_t nz = first_[band]; nz < first_[band + rows]; ++nz) {
      blocks.push_back(col_[nz] / cols_ * cols_);
    }
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    const int rows_of_word = 32 / cols_;
    for (const std::int32_t block : blocks) {
      bitmap_.first_col.push_back(block);
      for (int row = 0; row < bitmap_rows; ++row) {
        if (row % rows_of_word == 0) begin_word();
        if (row >= rows) continue;
        for (const std::int32_t end = first_[band + row + 1];
             next[row] < end && col_[next[row]] < block + cols_; ++next[row]) {
          bitmap_.bits.back() |= 1u << (row % rows_of_word * cols_ + col_[next[row]] - block);
          bitmap_.order.push_back(next[row]);
        }
      }
    }
  }

  void begin_word() {
    bitmap_.bits.push_back(0);
    bitmap_.first_entry.push_back(static_cast<std::int32_t>(bitmap_.order.size()));
  }

  const Store& store_;
  const std::vector<std::int32_t>&first_, &col_;
  const std::int32_t cols_;
  Bitmap bitmap_;
};

/// Appends the bands that follow.
void append(Bitmap& all, Bitmap&& next) {
  const auto blocks = static_cast<std::int32_t>(all.first_col.size());
  const auto entries = static_cast<std::int32_t>(all.order.size());
  for (std::int32_t& first : next.band_first) first += blocks;
  for (std::int32_t& first : next.first_entry) first += entries;
  append_part(all.band_first, std::move(next.band_first));
  append_part(all.first_col, std::move(next.first_col));
  append_part(all.bits, std::move(next.bits));
  append_part(all.first_entry, std::move(next.first_entry));
  append_part(all.order, std::move(next.order));
}

}  // namespace

Bitmap bitmap_of(const Store& store) {
  const std::int64_t bands = (std::int64_t{store.rows()} + bitmap_rows - 1) / bitmap_rows;
  const auto make = [&](std::int64_t first, std::int64_t end) {
    return BitmapMaker(store).make(first, end);
  };
  Bitmap bitmap;
  for (Bitmap& part : parts_of_ranges(bands, make, items_least(bands, store.nnz()))) {
    append(bitmap, std::move(part));
  }
  bitmap.band_first.push_back(static_cast<std::int32_t>(bitmap.first_col.size()));
  return bitmap;
}

}  // namespace alphasparse
