#include "generator/facts/segments.h"

#include <algorithm>
#include <numeric>

#include "base/ranges.h"
#include "base/result.h"

namespace alphasparse {

namespace {

/// The tiles with empty rows among neighbouring tiles, and their offsets.
struct TilesWithGaps {
  struct Tile {
    std::int32_t tile, segments;
  };
  std::vector<Tile> tiles;
  std::vector<std::int32_t> empty_offset;
};

/// Writes the entries of neighbouring tiles: those of which each tile or thread has one into the
/// arrays of all tiles, and the others into `gaps`.
class TileBuilder {
 public:
  TileBuilder(const std::vector<std::int32_t>& row_first_nz, std::int32_t first_nz, int threads,
              int part_size, SegmentArrays& arrays, TilesWithGaps& gaps)
      : row_first_(row_first_nz),
        threads_(threads),
        part_size_(part_size),
        arrays_(arrays),
        gaps_(gaps),
        row_(static_cast<std::int32_t>(
            std::upper_bound(row_first_.begin() + 1, row_first_.end(), first_nz) -
            (row_first_.begin() + 1))) {}

  void add(std::int64_t tile, std::int32_t first, std::int32_t end) {
    CHECK(first < end && end - first <= threads_ * part_size_);
    while (row_first_[row_ + 1] <= first) ++row_;
    rows_.assign(1, row_);
    add_threads(tile * threads_, first, end);
    add_rows(tile);
  }

 private:
  void add_threads(std::int64_t base, std::int32_t first, std::int32_t end) {
    for (int thread = 0; thread < threads_; ++thread) {
      if (threads_ > 1 && thread > 0)
        arrays_.y_offset[base + thread] = static_cast<std::uint16_t>(rows_.size());
      std::uint32_t flags = thread == 0 ? 1 : 0;
      for (int local = 0; local < part_size_; ++local) {
        const std::int32_t nz = first + thread * part_size_ + local;
        if (nz == first || nz >= end || !starts_row(nz)) continue;
        flags |= 1u << local;
        rows_.push_back(row_);
      }
      arrays_.bit_flag[base + thread] = flags;
    }
    std::uint16_t followers = 0;
    for (int thread = threads_ - 1; thread >= 0 && threads_ > 1; --thread) {
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

  void add_rows(std::int64_t tile) {
    const std::int32_t first_row = rows_.front();
    const bool has_gaps = rows_.back() - first_row + 1 != static_cast<std::int32_t>(rows_.size());
    arrays_.tile_ptr[tile] = first_row | (has_gaps ? SegmentArrays::has_empty_rows : 0);
    if (!has_gaps) return;
    gaps_.tiles.push_back(
        {static_cast<std::int32_t>(tile), static_cast<std::int32_t>(rows_.size())});
    for (const std::int32_t row : rows_) gaps_.empty_offset.push_back(row - first_row);
  }

  const std::vector<std::int32_t>& row_first_;
  int threads_, part_size_;
  SegmentArrays& arrays_;
  TilesWithGaps& gaps_;
  std::int32_t row_;
  std::vector<std::int32_t> rows_;
};

/// [tiles + 1] The segments of tiles with empty rows in the tiles before each.
std::vector<std::int32_t> sum_parts(const std::vector<TilesWithGaps>& parts, std::int64_t tiles) {
  std::vector<std::int32_t> first(tiles + 1);
  for (const TilesWithGaps& part : parts) {
    for (const auto& [tile, segments] : part.tiles) first[tile + 1] = segments;
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  return first;
}

}  // namespace

SegmentArrays segment_arrays(const std::vector<std::int32_t>& row_first_nz,
                             const std::vector<std::int32_t>& tile_first_nz, int threads,
                             int part_size) {
  const auto tiles = static_cast<std::int64_t>(tile_first_nz.size()) - 1;
  SegmentArrays arrays;
  arrays.tile_ptr.resize(tiles + 1);
  arrays.tile_ptr.back() = static_cast<std::uint32_t>(row_first_nz.size() - 1);
  arrays.bit_flag.resize(tiles * threads);
  if (threads > 1) {
    arrays.y_offset.resize(tiles * threads);
    arrays.seg_offset.resize(tiles * threads);
  }
  const auto find_gaps = [&](std::int64_t first, std::int64_t end) {
    TilesWithGaps gaps;
    TileBuilder builder(row_first_nz, tile_first_nz[first], threads, part_size, arrays, gaps);
    for (std::int64_t tile = first; tile < end; ++tile) {
      builder.add(tile, tile_first_nz[tile], tile_first_nz[tile + 1]);
    }
    return gaps;
  };
  std::vector<TilesWithGaps> parts =
      parts_of_ranges(tiles, find_gaps, grain_size(tiles, row_first_nz.back()));
  for (const TilesWithGaps& part : parts) {
    arrays.empty_offset.insert(arrays.empty_offset.end(), part.empty_offset.begin(),
                               part.empty_offset.end());
  }
  arrays.some_empty_rows = !arrays.empty_offset.empty();
  if (arrays.some_empty_rows) arrays.empty_offset_first = sum_parts(parts, tiles);
  return arrays;
}

void for_segments(const std::vector<std::int32_t>& row_first_nz,
                  const std::vector<std::int32_t>& tile_first_nz,
                  const std::function<void(std::int32_t row, bool is_edge)>& take) {
  std::int32_t row = 0;
  for (std::size_t tile = 0; tile + 1 < tile_first_nz.size(); ++tile) {
    const std::int32_t first = tile_first_nz[tile], end = tile_first_nz[tile + 1];
    while (row_first_nz[row + 1] <= first) ++row;
    take(row, true);
    while (row_first_nz[row + 1] < end) {
      ++row;
      if (row_first_nz[row] < row_first_nz[row + 1]) take(row, row_first_nz[row + 1] >= end);
    }
  }
}

}  // namespace alphasparse
