// full_blocks: the blocks of a matrix that are full enough to be stored as blocks.
//
// Blocks lie on a grid, or they are greedy: each begins at the first entry of its band that no
// block holds yet. A greedy block that is too thin leaves its first column, and the next one begins
// behind that. Example, columns 1 2 3 4 of one row in blocks of 1 x 2: 0-1 2-3 4-5 on the grid, 1-2
// 3-4 from entries.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "generator/facts/store.h"

namespace alphasparse {

struct BlockShape {
  std::int32_t rows, cols;
  std::int64_t share;  ///< percent of its positions that are stored, at least; 0: any
  bool at_entries = false;
};

/// The first columns of blocks, band after band: a matrix may have many bands and few blocks.
struct FullBlocks {
  std::vector<std::int32_t> first{0};  ///< [bands + 1] offsets into the next
  std::vector<std::int32_t> col;       ///< in each band ascending

  std::span<const std::int32_t> band(std::int32_t number) const {
    return std::span(col).subspan(first[number], first[number + 1] - first[number]);
  }
};

/// For each band of `rows` neighbouring logical rows the first columns of its blocks with at least
/// one stored entry that are full enough. No two blocks of a band share a column.
FullBlocks full_blocks(const Store& store, const BlockShape& shape);

}  // namespace alphasparse
