// cover_set: few designs that serve many problems, chosen greedily.
//
// The regret of some designs on a problem is how much longer than the fastest there the best of
// them takes, as a share of it, at most 1; 1 also stands for none of them having been measured.
// Each step takes the design that lowers the mean regret most, of equals the shorter text, then the
// first.
//
// Example, times of two problems {a 10, b 11} and {b 20, c 19}: alone, a leaves (0 + 1) / 2, b
// (1/10 + 1/19) / 2 and c (1 + 0) / 2. So b comes first; then a, which saves 1/10, before c, which
// saves 1/19.
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

/// At most `most`, in the order in which they were chosen; fewer where no further one would help.
std::vector<CoverDesign> cover_set(const std::vector<CoveredProblem>& problems, std::size_t most);

}  // namespace alphasparse
