// word_masks: lanes that are chosen by the bits of their words.
#pragma once
#include "word_arithmetic.h"

template <int G>
using Words = Ints<G>;

/// 0 in the lanes with a bit of `mask` in their word, and the others as they are.
template <int G>
INLINE Lanes<G> without(const Words<G>& words, typename Lanes<G>::Mask mask,
                        const Lanes<G>& lanes) {
  Lanes<G> kept;
  for (int lane = 0; lane < G; ++lane)
    kept.part[lane] = words[lane] & mask ? Value(0) : lanes.part[lane];
  return kept;
}
