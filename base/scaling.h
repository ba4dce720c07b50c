// scaling: the two numbers of y = alpha * A * x + beta * y.
#pragma once

namespace alphasparse {

struct Scaling {
  double alpha = 1;
  double beta = 0;

  /// The new y of a row, by its sum and the y before. beta == 0 ignores that, also NaN.
  double scaled(double sum, double before) const {
    return alpha * sum + (beta == 0 ? 0 : beta * before);
  }
};

}  // namespace alphasparse
