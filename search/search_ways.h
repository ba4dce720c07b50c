// search_ways: how designs for one matrix are proposed - the three levels of the search as ways of
// one portfolio.
//
//   named       the named designs, before all others
//   grid        coarse parameters of all structures by successive halving, and the best with the
//               optimizer's passes (halving.h)
//   structure   designs that grow or mutate, under simulated annealing (annealing.h)
//   fine        fine parameters of what is good so far, ranked by a model (fine_grid.h)
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "generator/matrix.h"
#include "generator/random.h"
#include "operators/designer.h"
#include "search/annealing.h"
#include "search/features.h"
#include "search/fine_grid.h"
#include "search/portfolio.h"
#include "search/search_space.h"

namespace alphasparse {

/// Parts of the search that can be left out, to learn what each is worth.
struct SearchParts {
  bool grid = true;
  bool structure = true;
  bool fine = true;
  bool growth = true;     ///< designs that grow from nothing; false: mutations alone
  bool annealing = true;  ///< slower designs are accepted; false: never
  bool model = true;      ///< fine parameters are ranked; false: they are drawn
  bool bans = true;       ///< what the matrix makes certain to lose is not proposed
  bool bounds = true;     ///< what cannot win by its lower bound is not tried
  bool chance = false;    ///< nothing but designs that grow at random, not even the first ones
};

struct SearchWaysOptions {
  std::uint64_t seed = 0;
  Dtype dtype = Dtype::f32;
  bool values_vary = false;
  bool is_measured = false;  ///< parameters that a model cannot see are searched too
  SearchParts parts = {};
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
  std::vector<Proposer> proposers(const Matrix& matrix, std::vector<std::string> first,
                                  const SearchWaysOptions& options);
  Proposer grid(const Matrix& matrix, bool values_vary);
  Proposer structure();
  std::vector<std::string> screened(std::vector<std::string> designs, std::size_t count);
  Proposer fine();
  Proposer chance();
  bool is_legal(const std::string& design);

  Designer designer_;
  const Features features_;
  BanCounts bans_;
  const SearchSpace space_;
  Random chance_;
  std::unique_ptr<Annealing> annealing_;
  std::unique_ptr<FineGrid> fine_;
  std::unique_ptr<Portfolio> portfolio_;
};

}  // namespace alphasparse
