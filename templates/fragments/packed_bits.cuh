// packed_bits: one field of a chunk whose fields lie one behind the other in words of 32 bits.
//
// `head` is 32 * the chunk's first word + the bits of a field. Two neighbouring words are read at
// once; behind the last chunk there is one to spare.
#pragma once
#include "prelude.cuh"

__device__ __forceinline__ int packed_bits(const unsigned* words, int head, int place) {
  const int width = head & 31;
  if (width == 0) return 0;
  const int bit = place * width;
  const unsigned* const pair = words + (head >> 5) + bit / 32;
  const unsigned field = __funnelshift_r(__ldg(pair), __ldg(pair + 1), bit % 32);
  return field & (0xffffffffu >> (32 - width));
}
