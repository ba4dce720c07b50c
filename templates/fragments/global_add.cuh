// global_add: the one writer of a row at the time adds to what an earlier launch has left there.
#pragma once
#include "prelude.cuh"

__device__ __forceinline__ void global_add(const Output& out, int row, Value sum) {
  out[row] += out.alpha * sum;
}
