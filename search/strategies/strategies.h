// strategies: the table of all strategies, which propose designs for one matrix and share one
// portfolio.
//
//   warm        Designs that a database knows from elsewhere (warm_start.h).
//   prior       Of the next two the designs with the best expected times, a named one among them.
//               These and the warm ones come before all others, in the one order of their expected
//               times, which similar matrices correct (similar_times.h). Where no known matrix is
//               similar, the warm ones come last of these.
//   named       The named designs. Like the mixed ones, they come first where nothing is expected.
//   mixed       Structures made of parts of the named ones (mixed_designs.h).
//   compact     The fastest of all these with the optimizer's passes.
//   grid        Coarse parameters of all structures, by successive halving (halving.h). Then the
//               best with the optimizer's passes.
//   structure   Designs that grow or mutate, under simulated annealing (annealing.h).
//   fine        Fine parameters of the best designs so far, ranked by a model (fine_grid.h).
//
// `chance` stands alone: designs that grow at random, for comparison with a search.
#pragma once
#include "search/strategies/strategy.h"

namespace alphasparse {

class Strategies {
 public:
  /// `first` are tried before all others but the early ones (DesignLists). The matrix must outlive
  /// it.
  Strategies(const Matrix& matrix, const Designs& first, const StrategiesOptions& options);
  Strategies(const Strategies&) = delete;
  Strategies& operator=(const Strategies&) = delete;

  /// Known outcomes teach the strategies, in any order. `known` has their designs.
  void learn(const Outcomes& outcomes, KnownDesigns& known);
  void learn(const CanonicalDesign& design, const Measurement& outcome);

  Portfolio& portfolio() { return portfolio_; }
  const PruneCounts& prunes() const {
    return prunes_;
  }  ///< designs that rules have kept out so far
  const FineGridState& fine_state() const { return fine_.state(); }

  /// Whether to go on is no longer worth it. As many designs have been verified after the last gain
  /// of half a per cent as before it, and 128 more.
  bool is_exhausted() const;

 private:
  const std::optional<Matrix> part_;  ///< of a large matrix, which operators are asked of
  Designer designer_;
  const Features features_;
  PruneCounts prunes_;
  Experience experience_;
  KnownDesigns known_;
  const SearchSpace space_;
  Fitting fitting_;
  FineGrid fine_;
  StrategyContext context_;
  Portfolio portfolio_;
};

}  // namespace alphasparse
