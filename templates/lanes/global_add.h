// global_add: the one writer of a row at the time adds to what an earlier part has left there.
#pragma once
#include "prelude.h"

INLINE void global_add(const Output& out, int row, Value sum) { out[row] += out.alpha * sum; }

/// A row of each lane.
template <class Rows, int G>
INLINE void global_add(const Output& out, const Rows& rows, const Lanes<G>& sum) {
  alignas(64) Value sums[G];
  std::memcpy(sums, &sum, sizeof sums);
  for (int lane = 0; lane < rows.lanes; ++lane) global_add(out, rows[lane], sums[lane]);
}
