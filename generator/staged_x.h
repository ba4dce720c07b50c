// staged_x: the slice of x that each block brings into shared memory, and where each column lies in
// it.
//
// Example, a block with columns 7, 9 and 12: as a range its slice is x[7] to x[12] and the places
// are 0, 2 and 5; listed, it is x[7], x[9], x[12] and the places are 0, 1 and 2.
#pragma once
#include <cstdint>
#include <vector>

#include "generator/store.h"

namespace alphasparse {

struct StagedColumns {
  std::vector<std::int32_t> column;     ///< [stored] place in the block's slice, -1 where it was
  std::vector<std::int32_t> first_col;  ///< range: [blocks] first column of the slice
  std::vector<std::int32_t> first;      ///< [blocks + 1] listed: its first place in `cols`
  std::vector<std::int32_t> cols;       ///< listed: columns of each slice, ascending
  std::vector<std::int32_t> size;       ///< range: [blocks] columns of the slice
  std::int64_t most = 0;                ///< columns of the largest slice
};

/// For a store with an open block level whose `staged` says how.
StagedColumns staged_columns(const Store& store);

}  // namespace alphasparse
