#pragma once
#include "exponent_bits.h"

INLINE bool is_not_finite(Value number) {
  ExponentBits bits;
  std::memcpy(&bits, &number, sizeof bits);
  return (bits & exponent_bits) == exponent_bits;
}

/// Whether the number of any lane is not finite.
template <int G>
INLINE bool any_not_finite(const Lanes<G>& numbers) {
  using R = Lanes<G>;
  typename R::Mask any{};
#pragma GCC unroll 64
  for (int p = 0; p < R::count; ++p) {
    typename R::Mask bits;
    std::memcpy(&bits, &numbers.part[p], sizeof bits);
    any |= (bits & exponent_bits) == exponent_bits;
  }
  bool found = false;
  for (int l = 0; l < R::width; ++l) found |= any[l] != 0;
  return found;
}
