// warp_bitmap: adds one sum a lane to the rows of a gang, which a bitmap of its lanes tells apart.
//
// Bit l of `starts` says that lane l begins a row. Rows that end inside the gang are emitted; its
// first and its last row, which neighbours may share, leave through `edge`.
#pragma once
#include "prelude.h"

template <int G, class RowOf, class Emit, class Edge>
INLINE void warp_bitmap(const Lanes<G>& sums, unsigned starts, RowOf row_of, Emit emit, Edge edge) {
  alignas(64) Value of[G];
  std::memcpy(of, &sums, sizeof of);
  Value sum = of[0];
  const int first = starts & 1u;
  int segment = first;
  for (int lane = 1; lane < G; ++lane) {
    if (starts >> lane & 1u) {
      if (segment == first) {
        edge(row_of(segment), sum);
      } else {
        emit(row_of(segment), sum);
      }
      ++segment;
      sum = 0;
    }
    sum += of[lane];
  }
  edge(row_of(segment), sum);
}
