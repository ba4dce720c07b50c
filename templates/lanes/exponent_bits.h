// finite: whether sums are numbers. Inf and NaN are told by their bits, because fast arithmetic
// knows neither.
#pragma once
#include "prelude.h"

/// The bits of a number that is not finite are all set in its exponent.
using ExponentBits = std::conditional_t<is_double, std::int64_t, std::int32_t>;
constexpr ExponentBits exponent_bits =
    is_double ? ExponentBits(0x7ff0000000000000) : ExponentBits(0x7f800000);
