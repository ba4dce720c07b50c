// gather: elements of x, a plain load each, put together in a register. x is an Input, or the
// values of a dictionary.
//
// The hardware's own gathers are slower on many CPUs, and absent on others. The cost of columns is
// mostly their number of loads, so that several narrow ones are read at once.
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

template <int G, int STEP, class X, class T, int... K>
INLINE typename Lanes<G>::Vector gather_part(X x, const T* columns,
                                             std::integer_sequence<int, K...>) {
  return typename Lanes<G>::Vector{Value(x[STEP * K + near_one<K>(columns)])...};
}

/// Lane l's element is at its column + STEP * l.
template <int G, int STEP = 0, class X, class T>
INLINE Lanes<G> gather_all(X x, const T* columns) {
  constexpr int width = Lanes<G>::width;
  Lanes<G> gathered;
#pragma GCC unroll 64
  for (int p = 0; p < Lanes<G>::count; ++p) {
    gathered.part[p] = gather_part<G, STEP>(x + STEP * p * width, columns + p * width,
                                            std::make_integer_sequence<int, width>());
  }
  return gathered;
}

/// Behind the last entry of an array lie zeros: an unused lane reads some element of x.
template <class X, class T, int G>
INLINE Lanes<G> gather(X x, Near<T, G> columns) {
  return gather_all<G>(x, columns.first);
}

template <class X, int G>
INLINE Lanes<G> gather(X x, const Ints<G>& columns) {
  return gather_all<G>(x, columns.of);
}

//[ INLINE auto | , entry) | thread_total_band<
/// Neighbours: no gather at all. Nothing is read behind the end of x.
template <class X, int G>
INLINE Lanes<G> gather(X x, Run<G> columns) {
  if (columns.lanes == G) return load(&x[columns.first], Run<G>{});
  return each_value(columns, [&](int column) { return x[column]; });
}
