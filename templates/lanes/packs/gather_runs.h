// gather_runs: W neighbouring rows of X from each lane's column on, and the sums of such runs. Lane
// l has the elements l * W to l * W + W - 1.
#pragma once
#include "gather.h"

template <int W, class Columns, int G = Columns::gang>
INLINE Lanes<G * W> gather_runs(Input x, const Columns& columns) {
  Lanes<G * W> runs;
#pragma GCC unroll 64
  for (int index = 0; index < G * W; ++index) runs.part[index] = x[columns[index / W] + index % W];
  return runs;
}

//[ INLINE auto | { return block; }
/// Neighbours. An unused lane reads the last run in use.
template <int W, int G>
INLINE Lanes<G * W> gather_runs(Input x, Run<G> columns) {
  Lanes<G * W> runs;
  for (int index = 0; index < G * W; ++index)
    runs.part[index] = x[columns[min(index / W, columns.lanes - 1)] + index % W];
  return runs;
}

/// The sum of each lane's run of W.
template <int W, int N>
INLINE Lanes<N / W> sums_of_runs(const Lanes<N>& all) {
  Lanes<N / W> sums;
#pragma GCC unroll 64
  for (int lane = 0; lane < N / W; ++lane) {
    sums.part[lane] = all.part[lane * W];
    for (int k = 1; k < W; ++k) sums.part[lane] += all.part[lane * W + k];
  }
  return sums;
}
