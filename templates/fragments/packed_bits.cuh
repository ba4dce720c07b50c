// packed_bits: one field of a chunk that has a width of its own, by the chunk's head.
//
// With cut = head % 32, it is the 32 bits from bit head + index * (cut - 32) on, counted modulo
// 2^32, without the lowest `cut` of them. Two neighbouring words are read at once. Every chunk has
// bits, so that no branch stands before their loads; the funnel's shifts count modulo 32 by
// themselves.
#pragma once
#include "prelude.cuh"

__device__ __forceinline__ int packed_bits(const unsigned* words, unsigned head, unsigned index) {
  const unsigned bit = head + index * (head | ~31u);
  const unsigned* const pair = words + bit / 32;
  return __funnelshift_r(__funnelshift_r(pair[0], pair[1], bit), 0, head);
}
