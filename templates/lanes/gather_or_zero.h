// gather_or_zero: elements of x, and 0 for column -1, which the fill of an empty row has.
#pragma once
#include "gather.h"

/// Where there is no column, x[0] is read and given up.
template <class Columns, int G = Columns::gang>
INLINE Lanes<G> gather_or_zero(Input x, const Columns& columns) {
  using R = Lanes<G>;
  alignas(64) int column[G], some[G];
  for (int lane = 0; lane < G; ++lane) column[lane] = columns[lane];
  for (int lane = 0; lane < G; ++lane) some[lane] = max(column[lane], 0);
  Lanes<G> gathered = gather_all<G>(x, some);
#pragma GCC unroll 64
  for (int p = 0; p < R::count; ++p) {
    alignas(64) typename R::Integer of[R::width];
    for (int l = 0; l < R::width; ++l) of[l] = column[p * R::width + l];
    typename R::Mask own;
    std::memcpy(&own, of, sizeof own);
    gathered.part[p] = own < 0 ? typename R::Vector{} : gathered.part[p];
  }
  return gathered;
}

INLINE Value gather_or_zero(Input x, int column) { return column < 0 ? 0 : x[column]; }
