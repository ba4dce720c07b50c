// packed_bits: one field of a chunk whose fields lie one behind the other in words of 32 bits.
//
// `head` is 32 * the chunk's first word + the bits of a field. Two neighbouring words are read at
// once; behind the last chunk there is one to spare. A chunk without bits has no branch of its own:
// loads would wait there for its head.
#pragma once
#include "prelude.cuh"

__device__ __forceinline__ int packed_bits(const unsigned* words, int head, unsigned place) {
  const unsigned width = head & 31, bit = place * width;
  const unsigned* const pair = words + ((head >> 5) + bit / 32);
  const unsigned field = __funnelshift_r(pair[0], pair[width != 0], bit % 32);
  return field & ((1u << width) - 1);
}
