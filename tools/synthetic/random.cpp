#include "tools/synthetic/random.h"

#include <cmath>

namespace alphasparse::synthetic {

namespace {

constexpr double ln_2 = 0.693147180559945309417;

/// Steele, Lea and Flood's SplitMix64, so that neighbouring seeds are far apart.
std::uint64_t mixed(std::uint64_t word) {
  word += 0x9e3779b97f4a7c15;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
  word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
  return word ^ (word >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream) : engine_(mixed(mixed(seed) + stream)) {}

std::int64_t Random::round(double number) {
  const double below = std::floor(number);
  return static_cast<std::int64_t>(below) + (fraction() < number - below ? 1 : 0);
}

double log2_of(double number) {
  int exponent = 0;
  double part = std::frexp(number, &exponent);  // in [0.5, 1), exact
  if (part < 0.70710678118654752) {
    part *= 2;
    --exponent;
  }
  // ln((1 + t) / (1 - t)) = 2 (t + t^3 / 3 + ...), |t| < 0.172
  const double t = (part - 1) / (part + 1);
  double sum = 0;
  for (int power = 21; power >= 1; power -= 2) sum = sum * (t * t) + 1.0 / power;
  return exponent + 2 * t * sum / ln_2;
}

double exp2_of(double exponent) {
  const double whole = std::floor(exponent + 0.5);
  const double rest = (exponent - whole) * ln_2;
  double sum = 1;
  for (int term = 16; term >= 1; --term) sum = 1 + sum * rest / term;
  return std::ldexp(sum, static_cast<int>(whole));
}

}  // namespace alphasparse::synthetic
