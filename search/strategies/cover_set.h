// cover_set: few designs that serve many problems, chosen greedily.
//
// The regret of some designs on a problem compares the best of them with the fastest design there.
// It is the extra time as a share of the best's time, at most 1. It is 1 where none of them was
// measured. Each step takes the design that lowers the mean regret most, of equals the shorter
// text, then the first.
//
// Example, times of two problems {a 10, b 11} and {b 20, c 19}. Alone, a leaves (0 + 1) / 2, b
// (1/10 + 1/19) / 2 and c (1 + 0) / 2. So b comes first. Then comes a, which saves 1/10, before c,
// which saves 1/19.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace alphasparse {

/// Times of one problem by design, > 0.
using CoveredProblem = std::map<std::string, double>;

struct CoverDesign {
  std::string design;
  std::size_t best_on = 0;  ///< the first problem on which it is the best of those chosen so far
};

/// At most `most` designs, in the order in which they were chosen; fewer where no further one would
/// help.
std::vector<CoverDesign> cover_set(const std::vector<CoveredProblem>& problems, std::size_t most);

}  // namespace alphasparse
