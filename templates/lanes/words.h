#pragma once
#include "word_masks.h"

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
