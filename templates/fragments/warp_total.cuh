// warp_total: adds one sum a lane over groups of LANES lanes; lane 0 of a group gets the total.
//
// Every lane of the warp takes part; one without work brings 0.
#pragma once
#include "full_warp.cuh"
#include "prelude.cuh"

template <int LANES>
__device__ __forceinline__ Value warp_total(Value sum) {
#pragma unroll
  for (int step = LANES / 2; step > 0; step /= 2) {
    sum += __shfl_down_sync(full_warp, sum, step, LANES);
  }
  return sum;
}
