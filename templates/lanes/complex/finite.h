#pragma once
#include "exponent_bits.h"

/// Whether a part of any of these numbers is not finite.
template <class Numbers>
INLINE bool any_not_finite(const Numbers& numbers) {
  ExponentBits bits[sizeof numbers / sizeof(Real)];
  std::memcpy(bits, &numbers, sizeof bits);
  bool found = false;
  for (const ExponentBits one : bits) found |= (one & exponent_bits) == exponent_bits;
  return found;
}

INLINE bool is_not_finite(Value number) { return any_not_finite(number); }
