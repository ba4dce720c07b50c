// diagonal: neighbours in x, for the lanes that have an entry on a diagonal of their gang.
#pragma once
#include "prelude.h"

/// Bit l: there is an entry at the position of lane l, by words of 32 positions. The run begins at
/// a multiple of the gang.
template <int G, class BitsOf>
INLINE std::uint64_t bits_of_run(Run<G> entry, BitsOf bits_of) {
  const unsigned first = entry.first, word = first / 32;
  if (G < 32) return bits_of(word) >> first % 32 & ((1u << G % 32) - 1);
  return bits_of(word) | (G == 64 ? std::uint64_t{bits_of(word + 1)} << 32 : 0);
}
