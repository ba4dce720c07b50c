// warp_segment_prefix: CSR5's segmented sum as it was published, by prefix sums over the warp.
//
// A lane in which a row begins adds the heads of the `seg_offset` lanes that begin none, and of
// the one after them, as a difference of two prefix sums over the whole warp. The subtraction
// loses digits, and one Inf or NaN reaches every later row of the warp: warp_segment does
// without. Source: Liu, Vinter 2015, section 3.4.
#pragma once
#include "full_warp.cuh"
#include "head_tail.cuh"

template <class RowOf, class Emit, class Edge>
__device__ __forceinline__ void warp_segment_prefix(HeadTail part, int seg_offset, RowOf row_of,
                                                    Emit emit, Edge edge) {
  const int lane = threadIdx.x % warp_size;
  const bool begins = part.last != part.first;
  Value next_head = __shfl_down_sync(full_warp, part.head, 1);
  if (lane == 31) next_head = 0;

  Value prefix = next_head;  // inclusive prefix sum of next_head
#pragma unroll
  for (int step = 1; step < warp_size; step *= 2) {
    const Value before = __shfl_up_sync(full_warp, prefix, step);
    if (lane >= step) prefix += before;
  }
  const Value heads = __shfl_sync(full_warp, prefix, lane + seg_offset) - prefix + next_head;
  const unsigned later = __ballot_sync(full_warp, begins) & ~1u << lane;

  if (lane == 0) edge(row_of(part.first), begins ? part.head : part.head + heads);
  if (begins) {
    const int row = row_of(part.last);
    if (later) {
      emit(row, part.tail + heads);
    } else {
      edge(row, part.tail + heads);
    }
  }
}
