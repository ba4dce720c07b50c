// stage_x: the threads of a block bring a slice of x into shared memory.
//
// Element k of the slice is x[column_of(k)]. The whole block must arrive; behind the barrier the
// slice is complete.
#pragma once
#include "prelude.cuh"

template <int THREADS, class ColumnOf>
__device__ __forceinline__ void stage_x(Value* slice, int size, Input x, ColumnOf column_of) {
  for (int k = threadIdx.x; k < size; k += THREADS) slice[k] = x[column_of(k)];
  __syncthreads();
}
