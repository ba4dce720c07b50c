// scaling: the two numbers of y = alpha * A * x + beta * y, and where the rows of X and Y lie.
#pragma once
#include <cstdint>

#include "base/complex.h"

namespace alphasparse {

struct Scaling {
  Number alpha = 1;  ///< of real kernels both are real
  Number beta = 0;

  /// The new y of a row, by its sum and the y before. beta == 0 ignores that, also NaN.
  double scaled(double sum, double before) const {
    return alpha.re * sum + (beta == 0 ? 0 : beta.re * before);
  }
  Number scaled(const Number& sum, const Number& before) const {
    return beta == 0 ? alpha * sum : alpha * sum + beta * before;
  }
};

/// Elements from one row of X, and of Y, to the next; of single vectors 1.
struct RowDistances {
  std::int64_t x = 1, y = 1;
};

}  // namespace alphasparse
