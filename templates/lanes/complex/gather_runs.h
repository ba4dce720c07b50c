// gather_runs: W neighbours of x from each lane's column on, by loads of 8 to 64 bytes, and the
// sums of such runs.
//
// One load brings a whole run, or as much of it as a register holds, in the place of W loads. All W
// elements must be x's own: a run at the right edge begins at column `columns of x - W`, further
// left than its first entry. Lane l has the elements l * W to l * W + W - 1.
#pragma once
#include "gather.h"

template <int W, int G, class T>
INLINE Lanes<G * W> gather_all_runs(Input x, const T* columns) {
  return runs_of<W, 0, G * W>(x, columns, typename Lanes<G * W>::Registers());
}

/// Behind the last entry of an array lie zeros: an unused lane reads the first run of x.
template <int W, class T, int G>
INLINE Lanes<G * W> gather_runs(Input x, Near<T, G> columns) {
  return gather_all_runs<W, G>(x, columns.first);
}

//[ INLINE auto | Ints< | each(
/// Columns that are computed.
template <int W, class Columns, int G = Columns::gang>
INLINE Lanes<G * W> gather_runs(Input x, const Columns& columns) {
  alignas(64) int column[G];
  for (int lane = 0; lane < G; ++lane) column[lane] = columns[lane];
  return gather_all_runs<W, G>(x, column);
}

//[ INLINE auto | { return block; }
/// Neighbours. An unused lane reads the last run in use.
template <int W, int G>
INLINE Lanes<G * W> gather_runs(Input x, Run<G> columns) {
  alignas(64) int column[G];
  for (int lane = 0; lane < G; ++lane) column[lane] = columns[min(lane, columns.lanes - 1)];
  return gather_all_runs<W, G>(x, column);
}

/// Each two neighbouring elements of two registers, added.
template <class Vector, int... K>
INLINE auto pairs_of(Vector low, Vector high, std::integer_sequence<int, K...>) {
  return __builtin_shufflevector(low, high, (K / 2 * 4 + K % 2)...) +
         __builtin_shufflevector(low, high, (K / 2 * 4 + K % 2 + 2)...);
}

/// The sum of each lane's run of W.
template <int W, int N>
INLINE Lanes<N / W> sums_of_runs(const Lanes<N>& all) {
  if constexpr (W == 1) {
    return all;
  } else {
    using Half = Lanes<N / 2>;
    constexpr int step = Lanes<N>::count / Half::count;  // registers for one of half as many lanes
    Half added;
#pragma GCC unroll 64
    for (int p = 0; p < Half::count; ++p)
      added.part[p] =
          pairs_of(all.part[step * p], all.part[step * p + step - 1], typename Half::Slots());
    return sums_of_runs<W / 2>(added);
  }
}
