// packed_fields: one of fields that all have as many bits, a literal, and lie one behind the other.
#pragma once
#include "prelude.h"

/// 32 bits from any bit on, of two neighbouring words.
INLINE unsigned window_at(const unsigned* words, unsigned bit) {
  std::uint64_t pair;
  std::memcpy(&pair, words + bit / 32, sizeof pair);
  return static_cast<unsigned>(pair >> bit % 32);
}

INLINE int packed_fields(const unsigned* words, int width, unsigned index) {
  return window_at(words, index * width) & ~(~0u << width);
}

/// The fields of neighbouring indices.
template <int G>
INLINE Ints<G> packed_fields(const unsigned* words, int width, Run<G> index) {
  return each(index, [=](int one) { return packed_fields(words, width, one); });
}
