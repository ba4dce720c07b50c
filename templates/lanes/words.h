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

/// The lowest ITEMS bits of each lane's word, turned round: of every bit a word with a bit a lane.
template <int ITEMS, int G>
struct BitPlanes {
  static constexpr int bytes = (ITEMS + 7) / 8, padded = G < 32 ? 32 : G;
  alignas(32) std::uint8_t byte[bytes][padded] = {};

  INLINE explicit BitPlanes(const Ints<G>& words) {
    for (int b = 0; b < bytes; ++b) {
      for (int lane = 0; lane < G; ++lane) byte[b][lane] = std::uint8_t(words.of[lane] >> 8 * b);
    }
  }

  /// Bit l: bit k of lane l's word.
  INLINE std::uint64_t at(int k) const {
    std::uint64_t lanes = 0;
#ifdef __AVX2__
    typedef short Shorts __attribute__((vector_size(32)));
    typedef char Bytes __attribute__((vector_size(32)));
    for (int first = 0; first < G; first += 32) {
      Shorts both;
      std::memcpy(&both, byte[k / 8] + first, sizeof both);
      const auto signs = reinterpret_cast<Bytes>(both << (7 - k % 8));
      lanes |= std::uint64_t(unsigned(__builtin_ia32_pmovmskb256(signs))) << first;
    }
#else
    for (int first = 0; first < G; first += 8) {  // a product gathers bytes of 0 and 1
      std::uint64_t eight;
      std::memcpy(&eight, byte[k / 8] + first, sizeof eight);
      eight = eight >> k % 8 & 0x0101010101010101u;
      lanes |= (eight * 0x0102040810204080u >> 56) << first;
    }
#endif
    return lanes;
  }
};
