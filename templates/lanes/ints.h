// ints: arithmetic of one integer of each lane, as a kernel's text has it of one integer.
#pragma once
#include "prelude.h"

template <int G, class Function>
INLINE Ints<G> changed(const Ints<G>& words, Function function) {
  Ints<G> all;
  all.lanes = words.lanes;
  for (int lane = 0; lane < G; ++lane) all.of[lane] = function(words.of[lane]);
  return all;
}

template <int G>
INLINE Ints<G> operator-(const Ints<G>& words, int number) {
  return changed(words, [=](int word) { return word - number; });
}
