// warp_segment: adds the heads of later lanes to the row that is open at the end of each lane.
//
// This is CSR5's segmented sum with the ends of segments found by a ballot, so that no sum of one
// row is ever subtracted from another's. Every lane of the warp takes part. Rows that end inside
// the warp are emitted; its first and its last row, which neighbours may share, leave through
// `edge`.
#pragma once
#include "head_tail.cuh"
#include "later_heads.cuh"

template <class RowOf, class Emit, class Edge>
__device__ __forceinline__ void warp_segment(HeadTail part, RowOf row_of, Emit emit, Edge edge) {
  const int lane = threadIdx.x % warp_size;
  const bool begins = part.last != part.first;
  // Lanes above this one that begin a row: with the next, the row open at this lane's end is over.
  const unsigned later = __ballot_sync(full_warp, begins) & ~1u << lane;
  const Value heads = later_heads(part.head, later);
  if (lane == 0) edge(row_of(part.first), begins ? part.head : part.head + heads);
  if (begins) {
    const int row = row_of(part.last);  // looked up once for the lanes of both branches
    if (later) {
      emit(row, part.tail + heads);
    } else {
      edge(row, part.tail + heads);
    }
  }
}
