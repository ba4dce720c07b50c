// full_blocks: the aligned blocks of a matrix that are full enough to be stored as blocks.
#pragma once
#include <cstdint>
#include <vector>

#include "generator/store.h"

namespace alphasparse {

struct BlockShape {
  std::int32_t rows, cols;
  std::int64_t share;  ///< percent of its positions that are stored, at least; 0: any
};

/// For each band of `rows` neighbouring logical rows the first columns, ascending multiples of
/// `cols`, of its blocks with at least one stored entry that are full enough.
std::vector<std::vector<std::int32_t>> full_blocks(const Store& store, const BlockShape& shape);

}  // namespace alphasparse
