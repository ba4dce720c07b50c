// finite: whether a sum is a number. Inf and NaN are told by their bits, because fast arithmetic
// knows neither.
#pragma once
#include "prelude.cuh"

/// The bits of a number that is not finite are all set in its exponent.
__device__ __forceinline__ bool is_not_finite(float number) {
  return (__float_as_uint(number) & 0x7f800000u) == 0x7f800000u;
}
__device__ __forceinline__ bool is_not_finite(double number) {
  const long long exponent = 0x7ff0000000000000;
  return (__double_as_longlong(number) & exponent) == exponent;
}
