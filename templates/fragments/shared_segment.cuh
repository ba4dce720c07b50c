// shared_segment: adds the heads of later threads of the block to the row that is open at the end
// of each thread, through shared memory.
//
// Every thread of the block takes part. Rows that end inside the block are emitted; its first and
// its last row, which neighbours may share, leave through `edge`. `heads` [THREADS] and `flags`
// [THREADS / 32] may be written again after the next barrier.
#pragma once
#include "full_warp.cuh"
#include "head_tail.cuh"

template <int THREADS, class RowOf, class Emit, class Edge>
__device__ __forceinline__ void shared_segment(HeadTail part, Value* heads, unsigned* flags,
                                               RowOf row_of, Emit emit, Edge edge) {
  const int thread = threadIdx.x;
  const bool begins = part.last != part.first;
  const unsigned warp_flags = __ballot_sync(full_warp, begins);
  heads[thread] = part.head;
  if (thread % 32 == 0) flags[thread / 32] = warp_flags;
  __syncthreads();

  if (begins || thread == 0) {
    // The heads up to the next thread that begins a row are parts of the row open here.
    Value sum = begins ? part.tail : part.head;
    bool later = false;
    for (int next = thread + 1; next < THREADS && !later; ++next) {
      sum += heads[next];
      later = flags[next / 32] >> next % 32 & 1u;
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
