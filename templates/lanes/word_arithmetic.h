// words: arithmetic of one word of each lane, as a kernel's text has it of one word.
#pragma once
#include "ints.h"

template <int G>
INLINE Ints<G> operator>>(const Ints<G>& words, int bits) {
  return changed(words, [=](int word) { return int(unsigned(word) >> bits); });
}

template <int G>
INLINE Ints<G> operator&(const Ints<G>& words, unsigned mask) {
  return changed(words, [=](int word) { return int(word & mask); });
}

template <int G>
INLINE Ints<G> at_least(const Ints<G>& words, int least) {
  return changed(words, [=](int word) { return word > least ? word : least; });
}

template <class T, int G>
INLINE Ints<G> loaded(Near<T, G> words) {
  Ints<G> all;
  for (int lane = 0; lane < G; ++lane) all.of[lane] = int(words.first[lane]);
  return all;
}

/// Without the first flag of a tile, which is always set: its row may have begun in the one before.
template <int G>
INLINE Ints<G> without_first(const Ints<G>& flags) {
  Ints<G> rest;
  for (int lane = 0; lane < G; ++lane)
    rest.of[lane] = lane == 0 ? flags.of[0] & ~1 : flags.of[lane];
  return rest;
}
