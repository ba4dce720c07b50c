// packed_bits: one field of a chunk whose fields lie one behind the other in words of 32 bits.
//
// `head` is 32 * the chunk's first word + the bits of a field. Two neighbouring words are read at
// once; behind the last chunk there is one to spare.
#pragma once
#include "prelude.h"

INLINE int packed_bits(const unsigned* words, int head, int place) {
  const int width = head & 31;
  if (width == 0) return 0;
  const int bit = place * width;
  std::uint64_t pair;
  std::memcpy(&pair, words + (head >> 5) + bit / 32, sizeof pair);
  return static_cast<unsigned>(pair >> bit % 32) & (0xffffffffu >> (32 - width));
}

/// The fields of neighbouring places in one chunk.
template <int G>
INLINE Ints<G> packed_bits(const unsigned* words, int head, Run<G> place) {
  return each(place, [=](int one) { return packed_bits(words, head, one); });
}
