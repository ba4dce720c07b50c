// random: random numbers that are the same with every compiler and standard library.
//
// The bits are std::mt19937_64's, which the standard fixes; what is made of them is written out
// here, without std:: distributions and without libm. This folder is compiled without contraction
// of floating-point expressions, so that sums in double are the same everywhere too.
#pragma once
#include <cstdint>
#include <random>

namespace alphasparse::synthetic {

class Random {
 public:
  /// Streams of one seed have nothing in common.
  Random(std::uint64_t seed, std::uint64_t stream);

  std::uint64_t bits() { return engine_(); }

  /// In [0, end), for end in [1, 2^32].
  std::int64_t below(std::int64_t end) {
    return static_cast<std::int64_t>(((engine_() >> 32) * static_cast<std::uint64_t>(end)) >> 32);
  }

  /// In [0, 1), a multiple of 2^-53.
  double fraction() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  /// `number` rounded down or up, so that it is itself on average.
  std::int64_t round(double number);

 private:
  std::mt19937_64 engine_;
};

/// The binary logarithm of a positive number.
double log2_of(double number);

/// 2^exponent, for |exponent| < 1000.
double exp2_of(double exponent);

}  // namespace alphasparse::synthetic
