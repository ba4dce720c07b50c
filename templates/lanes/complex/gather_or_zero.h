// gather_or_zero: elements of x, and 0 for column -1, which the fill of an empty row has.
#pragma once
#include "gather.h"
#include "word_masks.h"

/// Where there is no column, x[0] is read and given up.
template <class Columns, int G = Columns::gang>
INLINE Lanes<G> gather_or_zero(Input x, const Columns& columns) {
  using Mask = typename Lanes<G>::Mask;
  Ints<G> column;
  alignas(64) int some[G];
  for (int lane = 0; lane < G; ++lane) column.of[lane] = columns[lane];
  for (int lane = 0; lane < G; ++lane) some[lane] = max(column.of[lane], 0);
  return without(Words<G>(column), Mask{} - (1 << 30), gather_all<G>(x, some));
}

INLINE Value gather_or_zero(Input x, int column) { return column < 0 ? Value(0) : x[column]; }
