#include "tools/suite/shares.h"

#include <algorithm>

namespace alphasparse {

namespace {

constexpr double seconds_least = 2;  // of a search: the named designs alone take some time

/// How long a search of so many non-zeros takes, of one of a million.
double weight(double nnz) { return 0.5 + 0.5e-6 * nnz; }

}  // namespace

double search_seconds(double nnz, const std::vector<double>& nnz_after, double seconds_left,
                      double seconds_each) {
  const double share = weight(nnz) * seconds_left / static_cast<double>(1 + nnz_after.size());
  return std::min(std::max(seconds_least, share), weight(nnz) * seconds_each);
}

}  // namespace alphasparse
