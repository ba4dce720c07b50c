// global_atomic: one of several writers adds to a row that an earlier part set to beta * y.
//
// Nothing here is atomic: the rows of a task are its own but for the first, which the task before
// may write. Its sums wait in the task's carry and are added when all tasks are done, in their
// order: results are the same bits for every run by as many threads.
#pragma once
#include "prelude.h"

INLINE void global_atomic(const Output& out, int row, Value sum) {
  (row == out.carry_row ? *out.carry : out[row]) += out.alpha * sum;
}

/// A row of each lane.
//[ const Lanes< & , sum) | auto& sum
template <class Rows, int G>
INLINE void global_atomic(const Output& out, const Rows& rows, const Lanes<G>& sum) {
  alignas(64) Value sums[G];
  std::memcpy(sums, &sum, sizeof sums);
  for (int lane = 0; lane < rows.lanes; ++lane) global_atomic(out, rows[lane], sums[lane]);
}
