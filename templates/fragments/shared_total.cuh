// shared_total: adds the sums of a block's threads through shared memory; thread 0 gets the total.
//
// One lane in LANES holds a sum, all of one row; every thread of the block takes part, and one
// without work brings 0. `table` [THREADS / LANES] may be written again after the next barrier.
#pragma once
#include "warp_total.cuh"

template <int THREADS, int LANES>
__device__ __forceinline__ Value shared_total(Value sum, Value* table) {
  if (threadIdx.x % LANES == 0) table[threadIdx.x / LANES] = sum;
  __syncthreads();
  Value total = 0;
  if (threadIdx.x < warp_size) {
    for (int k = threadIdx.x; k < THREADS / LANES; k += warp_size) total += table[k];
    total = warp_total<warp_size>(total);
  }
  return total;
}
