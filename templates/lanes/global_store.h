// global_store: the one writer of a row stores it.
#pragma once
#include "prelude.h"

//[ Value sum | Value warp_sum | Value total
INLINE void global_store(const Output& out, int row, Value sum) {
  const Value old = out.beta == 0 ? Value(0) : out.beta * out[row];
  out[row] = out.alpha * sum + old;
}

/// A row of each lane.
//[ const Lanes< & , sum) | auto& sum
template <class Rows, int G>
INLINE void global_store(const Output& out, const Rows& rows, const Lanes<G>& sum) {
  const Lanes<G> products = scaled(sum, out.alpha);
  alignas(64) Value sums[G];
  std::memcpy(sums, &products, sizeof sums);
  if (out.beta == 0 && rows.lanes == G) {
#pragma GCC unroll 64
    for (int lane = 0; lane < G; ++lane) out[rows[lane]] = sums[lane];
  } else {
    for (int lane = 0; lane < rows.lanes; ++lane) {
      const Value old = out.beta == 0 ? Value(0) : out.beta * out[rows[lane]];
      out[rows[lane]] = sums[lane] + old;
    }
  }
}
