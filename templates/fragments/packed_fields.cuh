// packed_fields: one of fields that all have as many bits, a literal, and lie one behind the other.
//
// Two neighbouring words are read at once, or one, where no field lies in two.
#pragma once
#include "prelude.cuh"

__device__ __forceinline__ int packed_fields(const unsigned* words, int width, unsigned index) {
  const unsigned bit = index * width, mask = ~(~0u << width);
  const unsigned* const pair = words + bit / 32;
  if (32 % width == 0) return pair[0] >> bit % 32 & mask;
  return __funnelshift_r(pair[0], pair[1], bit) & mask;
}
