// global_store: the one writer of a row stores it.
#pragma once
#include "prelude.h"

INLINE void global_store(const Output& out, int row, Value sum) {
  const Value old = out.beta == 0 ? Value(0) : out.beta * out.y[row];
  out.y[row] = out.alpha * sum + old;
}

/// A row of each lane.
template <class Rows, int G>
INLINE void global_store(const Output& out, const Rows& rows, const Lanes<G>& sum) {
  alignas(64) Value sums[G];
  std::memcpy(sums, &sum, sizeof sums);
  if (out.beta == 0 && rows.lanes == G) {
#pragma GCC unroll 64
    for (int lane = 0; lane < G; ++lane) out.y[rows[lane]] = out.alpha * sums[lane];
  } else {
    for (int lane = 0; lane < rows.lanes; ++lane) global_store(out, rows[lane], sums[lane]);
  }
}
