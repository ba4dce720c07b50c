// packed_bits: one field of a chunk that has a width of its own, by the chunk's head.
//
// With cut = head % 32, it is the 32 bits from bit head + index * (cut - 32) on, counted modulo
// 2^32, without the lowest `cut` of them.
#pragma once
#include "packed_fields.h"

INLINE int packed_bits(const unsigned* words, unsigned head, unsigned index) {
  return window_at(words, head + index * (head | ~31u)) >> head % 32;
}

/// The fields of neighbouring indices in one chunk.
template <int G>
INLINE Ints<G> packed_bits(const unsigned* words, unsigned head, Run<G> index) {
  return each(index, [=](int one) { return packed_bits(words, head, one); });
}
