#include "tools/suite/shares.h"

#include <algorithm>
#include <numeric>

namespace alphasparse {

namespace {

constexpr double seconds_least = 2;  // of a search: the named designs alone take some time

/// How long a search of so many non-zeros takes, of one of a million.
double weight(double nnz) { return 0.5 + 0.5e-6 * nnz; }

}  // namespace

double search_seconds(double nnz, const std::vector<double>& nnz_after, double seconds_left,
                      double seconds_each) {
  const double own = weight(nnz);
  const double all = std::accumulate(nnz_after.begin(), nnz_after.end(), own,
                                     [](double sum, double other) { return sum + weight(other); });
  const double share = std::max(seconds_least, seconds_left * own / all);
  return std::min({share, own * seconds_each, seconds_left});
}

}  // namespace alphasparse
