#pragma once
#include "finite_number.cuh"

/// Whether a part of the sum is not finite.
__device__ __forceinline__ bool is_not_finite(Value sum) {
  return is_not_finite(sum.re) || is_not_finite(sum.im);
}
