// words: arithmetic of one word of each lane, as a kernel's text has it of one word.
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
INLINE Ints<G> operator>>(const Ints<G>& words, int bits) {
  return changed(words, [=](int word) { return int(unsigned(word) >> bits); });
}

template <int G>
INLINE Ints<G> operator&(const Ints<G>& words, unsigned mask) {
  return changed(words, [=](int word) { return int(word & mask); });
}

template <int G>
INLINE Ints<G> operator-(const Ints<G>& words, int number) {
  return changed(words, [=](int word) { return word - number; });
}

template <int G>
INLINE Ints<G> max(const Ints<G>& words, int least) {
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
INLINE Ints<G> without_first(Ints<G> flags) {
  flags.of[0] &= ~1;
  return flags;
}
