#include "generator/facts/segments.h"

#include <algorithm>

#include "base/ranges.h"
#include "base/result.h"

namespace alphasparse {

namespace {

/// Appends one tile's flags and offsets after the other, the first one's at `first_nz`.
class TileBuilder {
 public:
  TileBuilder(const std::vector<std::int32_t>& row_first_nz, std::int32_t first_nz, int threads,
              int items, SegmentArrays& arrays)
      : row_first_(row_first_nz),
        threads_(threads),
        items_(items),
        arrays_(arrays),
        row_(static_cast<std::int32_t>(
            std::upper_bound(row_first_.begin() + 1, row_first_.end(), first_nz) -
            (row_first_.begin() + 1))) {}

  void add(std::int32_t first, std::int32_t end) {
    CHECK(first < end && end - first <= threads_ * items_);
    while (row_first_[row_ + 1] <= first) ++row_;
    rows_.assign(1, row_);
    add_threads(first, end);
    add_rows();
  }

 private:
  void add_threads(std::int32_t first, std::int32_t end) {
    const std::size_t base = arrays_.bit_flag.size();
    for (int thread = 0; thread < threads_; ++thread) {
      arrays_.y_offset.push_back(thread == 0 ? 0 : static_cast<std::uint32_t>(rows_.size()));
      std::uint32_t flags = thread == 0 ? 1 : 0;
      for (int item = 0; item < items_; ++item) {
        const std::int32_t nz = first + thread * items_ + item;
        if (nz == first || nz >= end || !starts_row(nz)) continue;
        flags |= 1u << item;
        rows_.push_back(row_);
      }
      arrays_.bit_flag.push_back(flags);
    }
    arrays_.seg_offset.resize(base + threads_, 0);
    std::uint32_t followers = 0;
    for (int thread = threads_ - 1; thread >= 0; --thread) {
      if (arrays_.bit_flag[base + thread] == 0) {
        ++followers;
      } else {
        arrays_.seg_offset[base + thread] = followers;
        followers = 0;
      }
    }
  }

  /// Moves row_ to the row of `nz`, the next one to be asked; true where it starts there.
  bool starts_row(std::int32_t nz) {
    while (row_first_[row_ + 1] <= nz) ++row_;
    return row_first_[row_] == nz;
  }

  void add_rows() {
    const std::int32_t first_row = rows_.front();
    bool gaps = false;
    for (std::size_t segment = 0; segment < rows_.size(); ++segment) {
      gaps = gaps || rows_[segment] != first_row + static_cast<std::int32_t>(segment);
      const bool is_edge = segment == 0 || segment + 1 == rows_.size();
      (is_edge ? arrays_.edge_rows : arrays_.inner_rows).push_back(rows_[segment]);
    }
    arrays_.tile_ptr.push_back(first_row | (gaps ? SegmentArrays::has_empty_rows : 0));
    for (const std::int32_t row : rows_) {
      if (gaps) arrays_.empty_offset.push_back(row - first_row);
    }
    arrays_.empty_offset_first.push_back(static_cast<std::int32_t>(arrays_.empty_offset.size()));
  }

  const std::vector<std::int32_t>& row_first_;
  int threads_, items_;
  SegmentArrays& arrays_;
  std::int32_t row_;
  std::vector<std::int32_t> rows_;
};

/// Appends the arrays of the tiles that follow.
void append(SegmentArrays& all, SegmentArrays&& next) {
  const auto offsets = static_cast<std::int32_t>(all.empty_offset.size());
  for (std::int32_t& first : next.empty_offset_first) first += offsets;
  append_part(all.tile_ptr, std::move(next.tile_ptr));
  append_part(all.empty_offset_first, std::move(next.empty_offset_first));
  append_part(all.empty_offset, std::move(next.empty_offset));
  append_part(all.bit_flag, std::move(next.bit_flag));
  append_part(all.y_offset, std::move(next.y_offset));
  append_part(all.seg_offset, std::move(next.seg_offset));
  append_part(all.inner_rows, std::move(next.inner_rows));
  append_part(all.edge_rows, std::move(next.edge_rows));
}

}  // namespace

SegmentArrays segment_arrays(const std::vector<std::int32_t>& row_first_nz,
                             const std::vector<std::int32_t>& tile_first_nz, int threads,
                             int items) {
  const auto arrays_of = [&](std::int64_t first, std::int64_t end) {
    SegmentArrays arrays;
    TileBuilder builder(row_first_nz, tile_first_nz[first], threads, items, arrays);
    for (std::int64_t tile = first; tile < end; ++tile) {
      builder.add(tile_first_nz[tile], tile_first_nz[tile + 1]);
    }
    return arrays;
  };
  const auto tiles = static_cast<std::int64_t>(tile_first_nz.size()) - 1;
  SegmentArrays arrays;
  arrays.empty_offset_first.push_back(0);
  for (SegmentArrays& part :
       parts_of_ranges(tiles, arrays_of, items_least(tiles, row_first_nz.back()))) {
    append(arrays, std::move(part));
  }
  arrays.tile_ptr.push_back(static_cast<std::uint32_t>(row_first_nz.size() - 1));
  return arrays;
}

}  // namespace alphasparse
