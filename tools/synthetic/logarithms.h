// logarithms: powers and logarithms of 2 that are the same with every compiler and C library. This
// folder is compiled without contraction of floating-point expressions, so that sums in double are
// the same everywhere too.
#pragma once

namespace alphasparse::synthetic {

/// The binary logarithm of a positive number.
double compute_log2(double number);

/// 2^exponent, for |exponent| < 1000.
double compute_exp2(double exponent);

}  // namespace alphasparse::synthetic
