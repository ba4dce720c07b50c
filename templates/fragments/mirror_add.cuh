// mirror_add: one triangle of the matrix is stored; an entry that is read for its own row adds
// alpha times the product of its mirror image to the image's row, which an earlier launch set to
// beta * y.
//
// The diagonal is its own image.
#pragma once
#include "prelude.cuh"

__device__ __forceinline__ void mirror_add(const Output& out, int row, int column, Value product) {
  if (column != row) atomicAdd(&out[column], product);
}
