// shared_table: the sums of a block's threads in shared memory, and where each row's lie.
//
// Every thread of a block writes one sum, of one row, into the slot of its number in the block; so
// the slots of a row are neighbours. A part that is one long row need not fit: it is added up
// without the table.
//
// Example, rows of lengths 2, 0, 1 in one block, one non-zero a thread: row_first_thread 0 2 2 3.
#pragma once
#include <cstdint>
#include <vector>

#include "generator/facts/store.h"

namespace alphasparse {

struct SharedTable {
  std::int32_t slots = 0;                        ///< that suffice for every part of several rows
  bool has_longer_rows = false;                  ///< some part is one row of more sums than that
  std::vector<std::int32_t> block_first_thread;  ///< [blocks + 1]
  std::vector<std::int32_t> block_first_row;     ///< [blocks]
  std::vector<std::int32_t> block_end_row;       ///< [blocks] behind the row of its last thread
  std::vector<std::int32_t> row_first_thread;    ///< [rows + 1] rows without a thread included
};

/// The table of a store with a block level and threads of one row each.
SharedTable shared_table(const Store& store);

}  // namespace alphasparse
