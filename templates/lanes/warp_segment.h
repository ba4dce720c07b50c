// warp_segment: adds the heads of later lanes to the row that is open at the end of each lane.
//
// One core goes through the lanes in their order. Rows that end inside the gang are emitted; its
// first and its last row, which neighbours may share, leave through `edge`.
#pragma once
#include "head_tail.h"

template <int G, class RowOf, class Emit, class Edge>
INLINE void warp_segment(const HeadTails<G>& part, RowOf row_of, Emit emit, Edge edge) {
  Value sum = part.head[0];
  int row = row_of(part.first[0]);
  bool is_whole = false;  // the open row began in this gang
  for (int lane = 0; lane < G; ++lane) {
    if (lane > 0) sum += part.head[lane];
    if ((part.begins >> lane & 1) == 0) continue;
    if (is_whole) {
      emit(row, sum);
    } else {
      edge(row, sum);
    }
    row = row_of(part.last[lane]);
    sum = part.tail[lane];
    is_whole = true;
  }
  edge(row, sum);
}
