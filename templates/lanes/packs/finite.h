#pragma once
#include "exponent_bits.h"

/// Whether the number of any column is not finite.
INLINE bool is_not_finite(const Value& number) {
  ExponentBits bits[pass_columns];
  std::memcpy(bits, &number, sizeof bits);
  bool found = false;
  for (const ExponentBits one : bits) found |= (one & exponent_bits) == exponent_bits;
  return found;
}

/// Whether the number of any lane is not finite.
template <int G>
INLINE bool any_not_finite(const Lanes<G>& numbers) {
  bool found = false;
  for (int lane = 0; lane < G; ++lane) found |= is_not_finite(numbers.part[lane]);
  return found;
}
