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

/// Bit l: lane l's word is not 0.
template <int G>
INLINE std::uint64_t not_zero(const Ints<G>& words) {
  std::uint64_t lanes = 0;
#ifdef __AVX2__
  typedef char Bytes __attribute__((vector_size(32)));
  alignas(32) char signs[G < 32 ? 32 : G] = {};
  for (int lane = 0; lane < G; ++lane) signs[lane] = words.of[lane] != 0 ? -1 : 0;
  for (int first = 0; first < G; first += 32) {
    Bytes some;
    std::memcpy(&some, signs + first, sizeof some);
    lanes |= std::uint64_t(unsigned(__builtin_ia32_pmovmskb256(some))) << first;
  }
#else
  for (int lane = 0; lane < G; ++lane) lanes |= std::uint64_t(words.of[lane] != 0) << lane;
#endif
  return lanes;
}

/// BITS bits of each lane, side by side in words of 64.
template <int BITS, int G>
struct Fields {
  using Field = std::conditional_t<BITS <= 8, std::uint8_t,
                                   std::conditional_t<BITS <= 16, std::uint16_t, std::uint32_t>>;
  static constexpr int width = 8 * sizeof(Field), together = 64 / width;
  Field of[(G + together - 1) / together * together] = {};

  INLINE explicit Fields(const Ints<G>& words) {
    for (int lane = 0; lane < G; ++lane) of[lane] = Field(words.of[lane]);
  }

  /// Calls function(lane, bit) for every bit that is set.
  template <class Function>
  INLINE void for_each_bit(Function function) const {
    for (int lane = 0; lane < G; lane += together) {
      std::uint64_t word;
      for (std::memcpy(&word, of + lane, sizeof word); word != 0; word &= word - 1) {
        const int at = __builtin_ctzll(word);
        function(lane + at / width, at % width);
      }
    }
  }
};
