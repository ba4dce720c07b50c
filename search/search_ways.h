// search_ways: how designs for one matrix are proposed - the three levels of the search as ways of
// one portfolio.
//
//   named       the named designs, before all others
//   grid        their coarse parameters, the fastest design's first, and its best with the
//               optimizer's passes (candidates.h)
//   structure   designs that grow or mutate, under simulated annealing (annealing.h)
//   fine        fine parameters of what is good so far, ranked by a model (fine_grid.h)
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "generator/matrix.h"
#include "operators/designer.h"
#include "search/annealing.h"
#include "search/features.h"
#include "search/fine_grid.h"
#include "search/portfolio.h"
#include "search/search_space.h"

namespace alphasparse {

struct SearchWaysOptions {
  std::uint64_t seed = 0;
  Dtype dtype = Dtype::f32;
  bool values_vary = false;
  bool is_measured = false;  ///< parameters that a model cannot see are searched too
};

class SearchWays {
 public:
  /// `first` are tried before all others, in canonical spelling. The matrix must outlive it.
  SearchWays(const Matrix& matrix, std::vector<std::string> first,
             const SearchWaysOptions& options);
  SearchWays(const SearchWays&) = delete;
  SearchWays& operator=(const SearchWays&) = delete;

  /// What is known already teaches the ways, in any order.
  void learn(const Outcomes& outcomes);

  Portfolio& portfolio() { return *portfolio_; }
  const BanCounts& bans() const { return bans_; }  ///< what rules have kept out so far
  const FineGridState& fine_state() const { return fine_->state(); }

  /// Whether to go on is no longer worth it: after the last gain of half a per cent as many designs
  /// have been verified as before it, and 64 more.
  bool is_exhausted() const;

 private:
  bool is_legal(const std::string& design);

  Designer designer_;
  const Features features_;
  BanCounts bans_;
  const SearchSpace space_;
  std::unique_ptr<Annealing> annealing_;
  std::unique_ptr<FineGrid> fine_;
  std::unique_ptr<Portfolio> portfolio_;
};

}  // namespace alphasparse
