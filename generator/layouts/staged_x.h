// staged_x: the slice of x that each block brings into shared memory, and where each column lies in
// it.
//
// Example, a block with columns 7, 9 and 12. As a range its slice is x[7] to x[12] and the places
// are 0, 2 and 5. Listed, it is x[7], x[9], x[12] and the places are 0, 1 and 2.
#pragma once
#include <cstdint>
#include <vector>

#include "generator/facts/layout.h"
#include "generator/facts/store.h"

namespace alphasparse {

/// A store with the place in its block's slice for each column, and -1 where that was none.
struct Staged {
  StagedColumns slices;
  Store store;
  bool took_columns = false;  ///< the places stand in the memory of the store's columns
};

/// Stages the columns of a store. It has an open block level; its `staged` says how. Where no other
/// store has the columns, they are gone until unstage().
Staged stage(Store& store);

/// Makes the columns of the places again, if they were taken. The staged store is of no use then.
void unstage(Staged& staged, Store& store);

}  // namespace alphasparse
