// chosen: one of a few values by the code of each lane, chosen by comparing.
#pragma once
#include "word_masks.h"

template <int COUNT, class Element, class Codes, int G = Codes::gang>
INLINE LanesOf<G, Element> chosen(const Element* values, const Codes& codes) {
  using R = Lanes<G>;
  Ints<G> code;
  for (int lane = 0; lane < G; ++lane) code.of[lane] = codes[lane];
  const Words<G> words(code);
  LanesOf<G, Element> lanes;
#pragma GCC unroll 64
  for (int p = 0; p < R::count; ++p) {
#pragma GCC unroll 8
    for (int k = 0; k < COUNT; ++k) {
      const auto one = neighbours<1>(values + k, typename Lanes<1>::Slots());
      const auto all = all_of<typename R::Vector>({one[0], one[1]}, typename R::Slots());
      lanes.part[p] = k > 0 && words.part[p] != k ? lanes.part[p] : all;
    }
  }
  return lanes;
}
