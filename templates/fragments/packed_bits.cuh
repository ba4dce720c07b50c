// packed_bits: one field of a chunk whose fields lie one behind the other in words of 32 bits.
//
// A chunk of CHUNK fields has as many words as it needs, so their number tells the width. Two
// neighbouring words are read at once; behind the last chunk there is one to spare.
#pragma once
#include "prelude.cuh"

template <int CHUNK>
__device__ __forceinline__ int packed_bits(const unsigned* words, int first_word, int end_word,
                                           int place) {
  const int width = (end_word - first_word) / (CHUNK / 32);
  if (width == 0) return 0;
  const int bit = place * width;
  const unsigned* const pair = words + first_word + bit / 32;
  const unsigned field = __funnelshift_r(__ldg(pair), __ldg(pair + 1), bit % 32);
  return field & (0xffffffffu >> (32 - width));
}
