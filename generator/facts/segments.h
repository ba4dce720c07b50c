// segments: CSR5's arrays - which rows the segments of a tile belong to, and where they start (Liu,
// Vinter 2015, section 3.2).
//
// A tile is `threads` threads of `items` non-zeros each, thread by thread. Its first non-zero opens
// a segment in any row. Further segments open where rows start. The kernel's tile is a warp (32
// threads); a thread that stands alone is a tile of one.
//
// Example (threads = items = 4, row_first_nz 0 2 2 5 13 17 18 26 34): tile_ptr 0|sign 4 7 8. Tile 0
// has y_offset 0 2 3 3, seg_offset 0 1 0 0, empty_offset 0 2 3 4.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

namespace alphasparse {

struct SegmentArrays {
  static constexpr std::uint32_t has_empty_rows =
      0x80000000u;  ///< in tile_ptr: rows are not consecutive

  std::vector<std::uint32_t> tile_ptr;  ///< [tiles + 1] row of the first non-zero; then rows
  /// [tiles + 1] first empty_offset of each tile; empty where no tile has empty rows
  std::vector<std::int32_t> empty_offset_first;
  std::vector<std::int32_t>
      empty_offset;  ///< a segment's row minus tile_ptr; only tiles with empty rows
  std::vector<std::uint32_t> bit_flag;  ///< [tiles * threads] bit k: item k opens a segment
  /// [tiles * threads] segments opened by the tile's threads before; empty where a tile is a thread
  std::vector<std::uint16_t> y_offset;
  /// [tiles * threads] threads of the tile that follow and open none, where the thread itself opens
  /// one; else 0. Empty where a tile is a thread.
  std::vector<std::uint16_t> seg_offset;
  bool some_empty_rows = false;  ///< in some tile
};

/// `tile_first_nz` [tiles + 1]; a tile has at most threads * items non-zeros, at least one. Rows
/// are logical.
SegmentArrays segment_arrays(const std::vector<std::int32_t>& row_first_nz,
                             const std::vector<std::int32_t>& tile_first_nz, int threads,
                             int part_size);

/// Calls take(row, is_edge) for the segments of each tile in their order. An edge is the first or
/// the last of its tile: a neighbouring tile may share its row.
void for_segments(const std::vector<std::int32_t>& row_first_nz,
                  const std::vector<std::int32_t>& tile_first_nz,
                  const std::function<void(std::int32_t row, bool is_edge)>& take);

}  // namespace alphasparse
