// diagonals: the diagonals that the rows of each warp touch, which its lanes read one after the
// other.
//
// The rows of a warp are its lanes. Entries with the same column - lane lie on one diagonal, and so
// meet neighbours in x. A slice of the warp's tile is one diagonal, a position a lane. Instead of a
// column an entry it has the column of the first lane, and a bit for each lane that has an entry
// there. Places without an entry are neither multiplied nor read from x, so that the first lane's
// column may lie outside.
//
// Example, a warp of three rows with the columns 0 1, 0 1 2 and 3. The diagonals have the first
// columns -1, 0 and 1. Their entries are those of the lanes 1, of 0 and 1, and of all.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generator/facts/store.h"

namespace alphasparse {

struct Diagonals {
  std::vector<std::int32_t> first{0};  ///< [warps + 1] first diagonal of each warp
  std::vector<std::int32_t> column;    ///< [diagonals] of the first lane, ascending in a warp
};

/// The diagonals of a store with threads that are single rows in warps. They are worked out once.
std::shared_ptr<const Diagonals> get_diagonals(const Store& store);

/// Why the rows of warps cannot lie by their diagonals, or nothing.
std::optional<std::string> cannot_line_up(const Store& store);

/// The same for threads that are no rows of warps.
std::optional<std::string> not_rows_of_warps(const LevelFacts& threads);

}  // namespace alphasparse
