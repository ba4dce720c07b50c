// part_writer: stores parts of a matrix where the position function of a layout says.
//
// A part is a thread, or a row that lanes share, and its non-zeros are neighbours. Its positions
// come in runs of neighbours. Those behind its non-zeros are pads, which repeat a column of its
// row.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/ranges.h"
#include "generator/layouts/layout_tiles.h"
#include "generator/layouts/pad_reads.h"

namespace alphasparse {

class PartWriter {
 public:
  /// Part i has the non-zeros from first_nz[i] to first_nz[i + 1]. The layout has its arrays.
  PartWriter(const Store& store, const std::vector<std::int32_t>& first_nz, Layout& layout,
             std::int64_t run = 1)
      : first_nz_(first_nz),
        col_(store.ints({Level::matrix, Name::nz_col})),
        source_(store.sources()),
        pad_columns_(store, first_nz),
        run_(run),
        layout_(layout) {}

  /// The parts of a tile, numbered from 0, and parts without non-zeros behind them, `count` in all.
  /// Part `local` has width(local) positions, and its s-th run begins at position(local, s). Where
  /// it has no non-zero, its pads have the column `empty`.
  template <class Width, class Position>
  void write(const Tile& tile, std::int64_t count, std::int32_t empty, const Width& width,
             const Position& position) const {
    const auto write_groups = [&](std::int64_t first, std::int64_t end) {
      for (std::int64_t local = first * together; local < std::min(end * together, count);
           local += together)
        write_group(tile, local, std::min(local + together, count), empty, width, position);
    };
    const std::int64_t groups = (count + together - 1) / together;
    for_ranges(groups, write_groups, grain_size(groups, count * tile.width));
  }

 private:
  struct Part {
    std::int64_t width;
    std::int32_t nz, length, pad_column;
  };

  /// So many parts side by side fill whole lines of memory at a time.
  static constexpr std::int64_t together = 16;

  template <class Width, class Position>
  void write_group(const Tile& tile, std::int64_t first, std::int64_t end, std::int32_t empty,
                   const Width& width, const Position& position) const {
    std::array<Part, together> parts;
    std::int64_t widest = 0;
    for (std::int64_t local = first; local < end; ++local) {
      Part& part = parts[local - first] = {width(local), 0, 0, empty};
      widest = std::max(widest, part.width);
      const std::int64_t number = tile.first_part + local;
      if (number >= tile.end_part) continue;
      part.nz = first_nz_[number];
      part.length = first_nz_[number + 1] - part.nz;
      if (part.length > 0 && part.length < part.width) part.pad_column = pad_columns_.of(number);
    }
    for (std::int64_t k = 0, s = 0; k < widest; k += run_, ++s) {
      for (std::int64_t local = first; local < end; ++local) {
        const Part& part = parts[local - first];
        const std::int64_t entries = std::min(run_, part.width - k);
        const std::int64_t begin = position(local, s);
        for (std::int64_t j = 0; j < entries; ++j) put(part, k + j, begin + j);
      }
    }
  }

  void put(const Part& part, std::int64_t k, std::int64_t position) const {
    const bool is_pad = k >= part.length;
    layout_.column[position] = is_pad ? part.pad_column : col_[part.nz + k];
    layout_.value_source[position] = is_pad ? -1 : source_[part.nz + k];
  }

  const std::vector<std::int32_t>&first_nz_, &col_;
  const Sources source_;
  const PadColumns pad_columns_;
  const std::int64_t run_;
  Layout& layout_;
};

}  // namespace alphasparse
