// gather: elements of x, a plain load each, put together in a register. x is an Input, or the
// values of a dictionary.
//
// An element of two floats is a load of 8 bytes, one of two doubles a load of 16 bytes. The cost of
// columns is mostly their number of loads, so that several narrow ones are read at once.
#pragma once
#include "prelude.h"

/// Element K of neighbours in memory, of which as many are loaded at once as 8 bytes hold.
template <int K, class T>
INLINE std::int64_t near_one(const T* first) {
  constexpr int together = 8 / sizeof(T), bits = 8 * sizeof(T);
  std::uint64_t word;
  std::memcpy(&word, first + K / together * together, sizeof word);
  if (sizeof(T) == 4) return K % together ? word >> 32 : std::uint32_t(word);
  return word >> (K % together * bits) & ((std::uint64_t{1} << bits % 64) - 1);
}

template <class Vector, int... K>
INLINE auto joined(Vector low, Vector high, std::integer_sequence<int, K...>) {
  return __builtin_shufflevector(low, high, K...);
}

/// N elements of two floats, the one with number FIRST in front, as words of 8 bytes.
template <int STEP, int FIRST, int N, class X, class T, int... K>
INLINE typename Lanes<N>::Vector words_from(X x, const T* columns,
                                            std::integer_sequence<int, K...>) {
  typedef double Word __attribute__((aligned(4), may_alias));
  typedef double Words __attribute__((vector_size(N * 8)));
  return typename Lanes<N>::Vector(Words{
      reinterpret_cast<const Word&>(x[STEP * (FIRST + K) + near_one<FIRST + K>(columns)])...});
}

/// N elements of runs of W, the one with number FIRST in front. N is no more than a register holds.
/// Lane l's run begins at its column + STEP * l.
template <int W, int STEP, int FIRST, int N, class X, class T>
INLINE typename Lanes<N>::Vector runs_from(X x, const T* columns) {
  using Slots = typename Lanes<N>::Slots;
  constexpr int lane = FIRST / W, half = N / 2;
  if constexpr (sizeof(ElementOf<X>) == 8 && W == 1 && N > 1 && !is_double) {
    return words_from<STEP, FIRST, N>(x, columns, std::make_integer_sequence<int, N>());
  } else if constexpr (N <= W) {
    const std::int64_t column = STEP * lane + FIRST % W + near_one<lane>(columns);
    return neighbours<N>(&x[column], Slots());
  } else {
    return joined(runs_from<W, STEP, FIRST, half>(x, columns),
                  runs_from<W, STEP, FIRST + half, half>(x, columns), Slots());
  }
}

template <int W, int STEP, int G, class X, class T, int... P>
INLINE LanesOf<G, ElementOf<X>> runs_of(X x, const T* columns, std::integer_sequence<int, P...>) {
  constexpr int width = Lanes<G>::width;
  return {{runs_from<W, STEP, P * width, width>(x, columns)...}};
}

/// Lane l's element is at its column + STEP * l.
template <int G, int STEP = 0, class X, class T>
INLINE LanesOf<G, ElementOf<X>> gather_all(X x, const T* columns) {
  return runs_of<1, STEP, G>(x, columns, typename Lanes<G>::Registers());
}

/// Behind the last entry of an array lie zeros: an unused lane reads some element of x.
template <class X, class T, int G>
INLINE LanesOf<G, ElementOf<X>> gather(X x, Near<T, G> columns) {
  return gather_all<G>(x, columns.first);
}

template <class X, int G>
INLINE LanesOf<G, ElementOf<X>> gather(X x, const Ints<G>& columns) {
  return gather_all<G>(x, columns.of);
}

//[ INLINE auto | , entry) | thread_total_band<
/// Neighbours: no gather at all. Nothing is read behind the end of x.
template <class X, int G>
INLINE LanesOf<G, ElementOf<X>> gather(X x, Run<G> columns) {
  if (columns.lanes == G) return load(&x[columns.first], Run<G>{});
  return each_value(columns, [&](int column) { return x[column]; });
}
