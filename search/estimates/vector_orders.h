// vector_orders: the own orders of x and y that promise much on a matrix.
//
// Each order is found once, within its share of the time, and the lines of x that tiles of rows
// touch are counted in a few places. That costs a fraction of one trial.
// Example: tiles of delaunay_n16 touch 0.72 times the lines in the order by=rcm, and 0.48 times
// those in that by=dissection.
#pragma once
#include <string>
#include <vector>

#include "generator/arrays/matrix.h"
#include "operators/designer.h"
#include "runtime/system/deadline.h"

namespace alphasparse {

/// One order as it was looked at.
struct VectorOrder {
  std::string by;          ///< as of `permute by=`
  double seconds = 0;      ///< that finding it took
  double lines_ratio = 0;  ///< the lines of x that tiles touch, over those in the given order
  std::string rejection;   ///< empty: designs in this order are tried early
};

/// All orders of `permute`, the promising ones first, the best of them first. None is looked at
/// beyond `seconds`, or once the deadline is over.
std::vector<VectorOrder> vector_orders(const Matrix& matrix, Dtype dtype, double seconds,
                                       const Deadline& deadline);

}  // namespace alphasparse
