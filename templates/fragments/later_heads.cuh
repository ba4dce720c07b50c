// later_heads: adds the heads of the lanes above each lane, up to and with the next one that begins
// a row.
//
// Bit l of `later` says that lane l, above this one, begins a row; where none does, the heads of
// all lanes above are added. Every lane of the warp takes part.
#pragma once
#include "full_warp.cuh"
#include "prelude.cuh"

__device__ __forceinline__ Value later_heads(Value head, unsigned later) {
  const int lane = threadIdx.x % warp_size;
  const int stop = later ? __ffs(later) - 1 : 31;
  Value heads = __shfl_down_sync(full_warp, head, 1);
  if (lane == stop) heads = 0;
#pragma unroll
  for (int step = 1; step < warp_size; step *= 2) {
    const Value next = __shfl_down_sync(full_warp, heads, step);
    if (lane + step < stop) heads += next;
  }
  return heads;
}
