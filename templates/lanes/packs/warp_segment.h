// warp_segment: adds the heads of later lanes to the row that is open at the end of each lane.
//
// Rows that end inside the gang are emitted; its first and its last row, which neighbours may
// share, leave through `edge`.
#pragma once
#include "head_tail.h"

template <int G, class RowOf, class Emit, class Edge>
INLINE void warp_segment(const HeadTails<G>& part, RowOf row_of, Emit emit, Edge edge) {
  int row = part.first;
  bool is_first = true;
  Value open = 0;
  for (int lane = 0; lane < G; ++lane) {
    if (part.begins >> lane & 1) {
      open += part.head[lane];
      if (is_first) {
        edge(row_of(row), open);
      } else {
        emit(row_of(row), open);
      }
      is_first = false;
      row = part.last[lane];
      open = part.tail[lane];
    } else {
      open += part.tail[lane];
    }
  }
  edge(row_of(row), open);
}
