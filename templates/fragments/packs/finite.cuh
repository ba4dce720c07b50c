#pragma once
#include "finite_number.cuh"

/// Whether the number of any column is not finite.
__device__ __forceinline__ bool is_not_finite(const Value& sum) {
  bool found = false;
#pragma unroll
  for (int k = 0; k < pass_columns; ++k) found |= is_not_finite(sum.part[k]);
  return found;
}
