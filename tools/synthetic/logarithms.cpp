#include "tools/synthetic/logarithms.h"

#include <cmath>

namespace alphasparse::synthetic {

namespace {

constexpr double ln_2 = 0.693147180559945309417;

}  // namespace

double compute_log2(double number) {
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

double compute_exp2(double exponent) {
  const double whole = std::floor(exponent + 0.5);
  const double rest = (exponent - whole) * ln_2;
  double sum = 1;
  for (int term = 16; term >= 1; --term) sum = 1 + sum * rest / term;
  return std::ldexp(sum, static_cast<int>(whole));
}

}  // namespace alphasparse::synthetic
