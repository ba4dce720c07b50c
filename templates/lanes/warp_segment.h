// warp_segment: adds the heads of later lanes to the row that is open at the end of each lane.
//
// One core goes through the lanes in their order. Rows that end inside the gang are emitted; its
// first and its last row, which neighbours may share, leave through `edge`.
#pragma once
#include "head_tail.h"

template <int G, class RowOf, class Emit, class Edge>
INLINE void warp_segment(const HeadTails<G>& part, RowOf row_of, Emit emit, Edge edge) {
  Value sum = 0;
  int lane = 0;
  const auto add_up_to = [&](int end) {
    for (; lane < end; ++lane) sum += part.tail[lane];
  };
  int segment = part.first;  // the open row's
  bool is_whole = false;     // it began in this gang
  for (std::uint64_t begins = part.begins; begins != 0; begins &= begins - 1) {
    add_up_to(__builtin_ctzll(begins));
    if (is_whole) {
      emit(row_of(segment), sum + part.head[lane]);
    } else {
      edge(row_of(segment), sum + part.head[lane]);
    }
    segment = part.last[lane];
    sum = part.tail[lane];
    ++lane;
    is_whole = true;
  }
  add_up_to(G);
  edge(row_of(segment), sum);
}
