// finite: whether sums are numbers. Inf and NaN are told by their bits, because fast arithmetic
// knows neither.
#pragma once
#include "prelude.h"

/// The bits of a number that is not finite are all set in its exponent.
using ExponentBits = std::conditional_t<is_double, std::int64_t, std::int32_t>;
constexpr ExponentBits exponent_bits =
    is_double ? ExponentBits(0x7ff0000000000000) : ExponentBits(0x7f800000);

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
