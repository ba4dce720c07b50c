#pragma once
#include "word_arithmetic.h"

/// A word of each lane in registers, as wide as a Value.
template <int G>
struct Words {
  using R = Lanes<G>;
  typename R::Mask part[R::count];

  INLINE explicit Words(const Ints<G>& words) {
    typedef int Narrow __attribute__((vector_size(R::width * sizeof(int))));
#pragma GCC unroll 64
    for (int p = 0; p < R::count; ++p) {
      Narrow narrow;
      std::memcpy(&narrow, words.of + p * R::width, sizeof narrow);
      part[p] = __builtin_convertvector(narrow, typename R::Mask);
    }
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
