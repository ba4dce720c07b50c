// gather: rows of X for the columns of each lane, or the values of a dictionary for its codes.
#pragma once
#include "prelude.h"

/// Rows of X, which are not in registers yet. Lane l's is at its column + STEP * l.
template <int G, int STEP, class T>
struct RowsOfX {
  Input x;
  const T* columns;

  INLINE const Value& operator[](int lane) const { return x[columns[lane] + STEP * lane]; }
  INLINE operator Lanes<G>() const {
    Lanes<G> gathered;
#pragma GCC unroll 64
    for (int lane = 0; lane < G; ++lane) gathered.part[lane] = (*this)[lane];
    return gathered;
  }
};

template <int G, int STEP = 0, class T>
INLINE RowsOfX<G, STEP, T> gather_all(Input x, const T* columns) {
  return {x, columns};
}

template <int G, int STEP = 0, class Element, class T>
INLINE Reals<G> gather_all(const Element* values, const T* codes) {
  Reals<G> gathered;
  for (int lane = 0; lane < G; ++lane) gathered.of[lane] = values[codes[lane] + STEP * lane];
  return gathered;
}

/// Behind the last entry of an array lie zeros: an unused lane reads some row of X.
template <class X, class T, int G>
INLINE auto gather(X x, Near<T, G> columns) {
  return gather_all<G>(x, columns.first);
}

template <int G>
INLINE Lanes<G> gather(Input x, const Ints<G>& columns) {
  return gather_all<G>(x, columns.of);
}

template <class Element, int G>
INLINE Reals<G> gather(const Element* values, const Ints<G>& codes) {
  return gather_all<G>(values, codes.of);
}

//[ INLINE auto | , entry) | thread_total_band<
/// Neighbours. Nothing is read behind the end of X: an unused lane reads the last row in use.
template <int G>
INLINE Lanes<G> gather(Input x, Run<G> columns) {
  Lanes<G> gathered;
  for (int lane = 0; lane < G; ++lane)
    gathered.part[lane] = x[columns[min(lane, columns.lanes - 1)]];
  return gathered;
}
