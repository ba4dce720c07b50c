// shared_segment: adds the heads of later threads of the block to the row that is open at the end
// of each thread, by shuffles in each warp and through shared memory between warps.
//
// Every thread of the block takes part. Rows that end inside the block are emitted; its first and
// its last row, which neighbours may share, leave through `edge`. `heads` [THREADS / warp_size],
// the sum that each warp adds to the row that is open before it, and `flags` [THREADS / warp_size]
// may be written again after the next barrier.
#pragma once
#include "head_tail.cuh"
#include "later_heads.cuh"

template <int THREADS, class RowOf, class Emit, class Edge>
__device__ __forceinline__ void shared_segment(HeadTail part, Value* heads, unsigned* flags,
                                               RowOf row_of, Emit emit, Edge edge) {
  const int thread = threadIdx.x, lane = thread % warp_size;
  const bool begins = part.last != part.first;
  const unsigned warp_flags = __ballot_sync(full_warp, begins);
  const unsigned later_lanes = warp_flags & ~1u << lane;
  const Value lanes_heads = later_heads(part.head, later_lanes);
  if (lane == 0) {
    heads[thread / warp_size] = begins ? part.head : part.head + lanes_heads;
    flags[thread / warp_size] = warp_flags;
  }
  __syncthreads();

  if (begins || thread == 0) {
    Value sum = (begins ? part.tail : part.head) + lanes_heads;
    bool later = later_lanes != 0;
    for (int warp = thread / warp_size + 1; warp < THREADS / warp_size && !later; ++warp) {
      sum += heads[warp];
      later = flags[warp] != 0;
    }
    if (thread == 0) edge(row_of(part.first), begins ? part.head : sum);
    if (begins) {
      const int row = row_of(part.last);
      if (later) {
        emit(row, sum);
      } else {
        edge(row, sum);
      }
    }
  }
}
