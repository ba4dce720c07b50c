// full_blocks: the aligned blocks of a matrix that are full enough to be stored as blocks.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "generator/facts/store.h"

namespace alphasparse {

struct BlockShape {
  std::int32_t rows, cols;
  std::int64_t share;  ///< percent of its positions that are stored, at least; 0: any
};

/// The first columns of blocks, band after band: a matrix may have many bands and few blocks.
struct FullBlocks {
  std::vector<std::int32_t> first{0};  ///< [bands + 1] offsets into the next
  std::vector<std::int32_t> col;       ///< in each band ascending

  std::span<const std::int32_t> band(std::int32_t number) const {
    return std::span(col).subspan(first[number], first[number + 1] - first[number]);
  }
};

/// For each band of `rows` neighbouring logical rows the first columns, multiples of `cols`, of its
/// blocks with at least one stored entry that are full enough.
FullBlocks full_blocks(const Store& store, const BlockShape& shape);

}  // namespace alphasparse
