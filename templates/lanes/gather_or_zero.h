// gather_or_zero: elements of x, and 0 for column -1, which the pads of an empty row have.
#pragma once
#include "gather.h"

template <int G, class Columns>
INLINE Lanes<G> gather_some(const Value* x, const Columns& columns) {
  alignas(64) Value gathered[G];
  for (int lane = 0; lane < G; ++lane) gathered[lane] = columns[lane] < 0 ? 0 : x[columns[lane]];
  Lanes<G> lanes;
  std::memcpy(&lanes, gathered, sizeof lanes);
  return lanes;
}

template <class T, int G>
INLINE Lanes<G> gather_or_zero(const Value* x, Near<T, G> columns) {
  return gather_some<G>(x, columns);
}

template <int G>
INLINE Lanes<G> gather_or_zero(const Value* x, const Ints<G>& columns) {
  return gather_some<G>(x, columns);
}

INLINE Value gather_or_zero(const Value* x, int column) { return column < 0 ? 0 : x[column]; }
