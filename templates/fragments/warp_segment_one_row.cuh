// warp_segment_one_row: warp_segment with a fast path for a warp with its whole tile inside one
// row.
//
// No lane begins a row then, so the sums that belong together are all of them.
#pragma once
#include "warp_segment.cuh"
#include "warp_total.cuh"

template <class RowOf, class Emit, class Edge>
__device__ __forceinline__ void warp_segment_one_row(HeadTail part, RowOf row_of, Emit emit,
                                                     Edge edge) {
  if (__any_sync(full_warp, part.last != part.first)) {
    warp_segment(part, row_of, emit, edge);
  } else {
    const Value sum = warp_total<warp_size>(part.head);
    if (threadIdx.x % warp_size == 0) edge(row_of(part.first), sum);
  }
}
