// global_init: sets a row to beta * y, because it has no writer or several.
#pragma once
#include "prelude.cuh"

__device__ __forceinline__ void global_init(const Output& out, int row) {
  out[row] = out.beta == 0 ? Value(0) : out.beta * out[row];
}
