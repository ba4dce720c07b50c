// number_bits: questions about numbers, and narrower ones in their place.
//
// They are asked of bits: a program that is compiled for fast arithmetic has no Inf, NaN or
// denormal otherwise.
#pragma once
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace alphasparse::host {

template <class Number>
auto bits_of(Number number) {
  std::conditional_t<std::is_same_v<Number, double>, std::uint64_t, std::uint32_t> bits;
  static_assert(sizeof bits == sizeof number);
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

/// The bits of a number without its sign.
template <class Number>
auto magnitude_bits(Number number) {
  return static_cast<decltype(bits_of(number))>(bits_of(number) << 1 >> 1);
}

template <class Number>
bool is_finite(Number number) {
  return magnitude_bits(number) < magnitude_bits(std::numeric_limits<Number>::infinity());
}

/// A value as a narrower array holds it: 0 of its sign in the place of a denormal number.
template <class Stored, class Value>
Stored narrowed(Value value) {
  Stored stored = static_cast<Stored>(value);
  if (std::is_same_v<Stored, Value>) return value;
  if (magnitude_bits(stored) >= magnitude_bits(std::numeric_limits<Stored>::min())) return stored;
  const auto sign = bits_of(stored) ^ magnitude_bits(stored);
  std::memcpy(&stored, &sign, sizeof stored);
  return stored;
}

/// The float that stands for a value where arrays are narrower.
template <class Value>
float rounded(Value value) {
  return narrowed<float>(value);
}

template <class Number>
bool is_nan(Number number) {
  return magnitude_bits(number) > magnitude_bits(std::numeric_limits<Number>::infinity());
}

}  // namespace alphasparse::host
