// shares: how the time of a suite is shared out among its searches, by their matrices' sizes.
#pragma once
#include <vector>

namespace alphasparse {

/// Seconds for a search of `nnz` non-zeros that has `nnz_after` after it, of the seconds that are
/// left for all of them: by its part of their weights, 2 s at least, `seconds_each` for a million
/// non-zeros at most, and never more than is left. What one does not use is the others'.
double search_seconds(double nnz, const std::vector<double>& nnz_after, double seconds_left,
                      double seconds_each);

}  // namespace alphasparse
