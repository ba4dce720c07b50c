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
  const bool stores_all = out.beta == 0 && rows.lanes == G;
  constexpr int width = Lanes<G>::width;
  if (stores_all && (width == 1 || std::is_same_v<Rows, Run<G>>)) {  // registers hold neighbours
#pragma GCC unroll 64
    for (int p = 0; p < Lanes<G>::count; ++p)
      reinterpret_cast<typename Lanes<G>::Vector&>(out[rows[p * width]]) = products.part[p];
    return;
  }
  alignas(64) Value sums[G];
  std::memcpy(sums, &products, sizeof sums);
  if (stores_all) {
#pragma GCC unroll 64
    for (int lane = 0; lane < G; ++lane) out[rows[lane]] = sums[lane];
  } else {
    for (int lane = 0; lane < rows.lanes; ++lane) {
      const Value old = out.beta == 0 ? Value(0) : out.beta * out[rows[lane]];
      out[rows[lane]] = sums[lane] + old;
    }
  }
}
