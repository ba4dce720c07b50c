#pragma once
#include "word_arithmetic.h"

/// A word of each lane in registers, twice, each as wide as a Real.
template <int G>
struct Words {
  using R = Lanes<G>;
  typename R::Mask part[R::count];

  INLINE explicit Words(const Ints<G>& words) {
    alignas(64) typename R::Integer all[2 * G];
    for (int l = 0; l < 2 * G; ++l) all[l] = words.of[l / 2];
    std::memcpy(part, all, sizeof part);
  }
};

/// 0 in the lanes with a bit of `mask` in their word, and the others as they are.
template <int G>
INLINE Lanes<G> without(const Words<G>& words, typename Lanes<G>::Mask mask,
                        const Lanes<G>& lanes) {
  using R = Lanes<G>;
  Lanes<G> kept;
#pragma GCC unroll 64
  for (int p = 0; p < R::count; ++p) {
    kept.part[p] = (words.part[p] & mask) != 0 ? typename R::Vector{} : lanes.part[p];
  }
  return kept;
}
