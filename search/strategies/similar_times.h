// similar_times: expected times, corrected by the times that designs took on similar matrices.
//
// A similar matrix tells which designs do better or worse than is expected of them here. The middle
// one of its designs that are expected here counts as expected. Another one that took twice as long
// beside it is to take longer here too. The nearer and the more numerous such matrices are, the
// more they weigh beside the expectation, whose weight is own_weight. A design that none of them
// tried keeps its expected time.
//
// Example: a, b and c are expected to take 10, 10 and 20 us. On a matrix with weight 1 they took 5,
// 10 and 10. Beside the middle, b took twice as long as a. With own_weight 1 the times are 10, 14.1
// and 20 us.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "operators/canonical_design.h"

namespace alphasparse {

/// Times in us that designs are expected to take, of those where something is.
using ExpectedTimes = std::map<CanonicalDesign, double>;

/// The times that designs took on a similar matrix.
struct SimilarTimes {
  double weight = 0;                 ///< less with distance
  std::map<std::string, double> us;  ///< by design, > 0
};

ExpectedTimes corrected(const ExpectedTimes& expected, const std::vector<SimilarTimes>& similar);

}  // namespace alphasparse
