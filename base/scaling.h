// scaling: the two numbers of y = alpha * A * x + beta * y, and where the rows of X and Y lie.
#pragma once
#include <cstdint>

namespace alphasparse {

struct Scaling {
  double alpha = 1;
  double beta = 0;

  /// The new y of a row, by its sum and the y before. beta == 0 ignores that, also NaN.
  double scaled(double sum, double before) const {
    return alpha * sum + (beta == 0 ? 0 : beta * before);
  }
};

/// Elements from one row of X, and of Y, to the next; of single vectors 1.
struct RowDistances {
  std::int64_t x = 1, y = 1;
};

}  // namespace alphasparse
