// gather_runs: W neighbours of x from each lane's column on, by loads of 8 to 64 bytes, and the
// sums of such runs.
//
// One load brings a whole run, or as much of it as a register holds, in the place of W loads. All W
// elements must be x's own: a run at the right edge begins at column `columns of x - W`, further
// left than its first entry. Lane l has the elements l * W to l * W + W - 1.
#pragma once
#include "gather.h"

template <class Vector, int... K>
INLINE auto joined(Vector low, Vector high, std::integer_sequence<int, K...>) {
  return __builtin_shufflevector(low, high, K...);
}

/// N elements of all runs, the one with number FIRST in front. N is no more than a register holds.
template <int W, int FIRST, int N, class T>
INLINE typename Lanes<N>::Vector runs_from(Input x, const T* columns) {
  using Vector = typename Lanes<N>::Vector;
  constexpr int lane = FIRST / W;
  if constexpr (N <= W) {
    return *reinterpret_cast<const Vector*>(&x[near_one<lane>(columns) + FIRST % W]);
  } else if constexpr (N == 2 * W && W == (is_double ? 1 : 2)) {
    typedef double Pair __attribute__((vector_size(16)));
    double low, high;  // as words: two loads and nothing else
    std::memcpy(&low, &x[near_one<lane>(columns)], 8);
    std::memcpy(&high, &x[near_one<lane + 1>(columns)], 8);
    return Vector(Pair{low, high});
  } else {
    return joined(runs_from<W, FIRST, N / 2>(x, columns),
                  runs_from<W, FIRST + N / 2, N / 2>(x, columns),
                  std::make_integer_sequence<int, N>());
  }
}

template <int W, int G, class T, int... P>
INLINE Lanes<G * W> gather_runs_into(Input x, const T* columns, std::integer_sequence<int, P...>) {
  constexpr int width = Lanes<G * W>::width;
  return {{runs_from<W, P * width, width>(x, columns)...}};
}

template <int W, int G, class T>
INLINE Lanes<G * W> gather_all_runs(Input x, const T* columns) {
  constexpr int count = Lanes<G * W>::count;
  return gather_runs_into<W, G>(x, columns, std::make_integer_sequence<int, count>());
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

template <class Vector, int... K>
INLINE auto pairs_of(Vector low, Vector high, std::integer_sequence<int, K...>) {
  return __builtin_shufflevector(low, high, 2 * K...) +
         __builtin_shufflevector(low, high, 2 * K + 1 ...);
}

/// Each two neighbours, added.
template <int N>
INLINE Lanes<N / 2> added_pairs(const Lanes<N>& all) {
  using R = Lanes<N>;
  if constexpr (N == 2) {
    return {{typename Lanes<1>::Vector{all[0] + all[1]}}};
  } else if constexpr (R::count == 1) {
    return {{pairs_of(all.part[0], all.part[0], std::make_integer_sequence<int, N / 2>())}};
  } else {
    Lanes<N / 2> added;
#pragma GCC unroll 64
    for (int p = 0; p < R::count / 2; ++p) {
      added.part[p] = pairs_of(all.part[2 * p], all.part[2 * p + 1],
                               std::make_integer_sequence<int, R::width>());
    }
    return added;
  }
}

/// The sum of each lane's run of W.
template <int W, int N>
INLINE Lanes<N / W> sums_of_runs(const Lanes<N>& all) {
  if constexpr (W == 1) {
    return all;
  } else {
    return sums_of_runs<W / 2>(added_pairs(all));
  }
}
