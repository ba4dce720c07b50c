// strategies: how designs for one matrix are proposed - the three levels of the search as ways of
// one portfolio.
//
//   warm        designs that a database knows from elsewhere, before all others (warm_start.h)
//   prior       of the next two those that are expected to be the fastest, and the named one
//               that is
//   named       the named designs, as the next before those that follow where nothing is expected
//   mixed       structures made of parts of them (mixed_designs.h)
//   compact     the fastest of all these with the optimizer's passes
//   grid        coarse parameters of all structures by successive halving, and the best with the
//               optimizer's passes (halving.h)
//   structure   designs that grow or mutate, under simulated annealing (annealing.h)
//   fine        fine parameters of the best designs so far, ranked by a model (fine_grid.h)
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "generator/arrays/matrix.h"
#include "operators/designer.h"
#include "search/learning/features.h"
#include "search/space/search_space.h"
#include "search/strategies/fine_grid.h"
#include "search/strategies/portfolio.h"
#include "search/strategies/warm_start.h"
#include "search/structure/annealing.h"

namespace alphasparse {

/// Parts of the search that can be left out, to learn the worth of each.
struct SearchParts {
  bool grid = true;
  bool structure = true;
  bool fine = true;
  bool growth = true;     ///< designs that grow from nothing; false: mutations alone
  bool annealing = true;  ///< slower designs are accepted; false: never
  bool model = true;      ///< fine parameters are ranked; false: they are drawn
  bool prior = true;      ///< designs expected to be slow come late; false: in the table's order
  bool bans = true;       ///< designs that are certain to lose on the matrix are not proposed
  bool bounds = true;     ///< designs that cannot win by their lower bound are not tried
  bool chance = false;    ///< nothing but designs that grow at random, not even the first ones
};

/// Times in us that designs are expected to take, of those where something is.
using ExpectedTimes =
    std::function<std::map<std::string, double>(const std::vector<std::string>& designs)>;

struct StrategiesOptions {
  std::uint64_t seed = 0;
  Dtype dtype = Dtype::f32;
  bool values_vary = false;
  bool is_measured = false;            ///< parameters that a model cannot see are searched too
  const Features* features = nullptr;  ///< of the matrix, where they are known already
  WarmStart warm = {};
  SearchParts parts = {};
  const Deadline* deadline = nullptr;  ///< for proposals; null: for as many as are wanted
  Target target = Target::cuda;        ///< the target of the designs
  bool is_team = false;                ///< a CPU of several threads
  ExpectedTimes expected = {};         ///< empty: nothing is expected
};

class Strategies {
 public:
  /// `first` are tried before all others but the warm start's, in canonical spelling. The matrix
  /// must outlive it.
  Strategies(const Matrix& matrix, std::vector<std::string> first,
             const StrategiesOptions& options);
  Strategies(const Strategies&) = delete;
  Strategies& operator=(const Strategies&) = delete;

  /// Known outcomes teach the ways, in any order.
  void learn(const Outcomes& outcomes);

  Portfolio& portfolio() { return *portfolio_; }
  const BanCounts& bans() const { return bans_; }  ///< designs that rules have kept out so far
  const FineGridState& fine_state() const { return fine_->state(); }

  /// Whether to go on is no longer worth it: after the last gain of half a per cent as many designs
  /// have been verified as before it, and 128 more.
  bool is_exhausted() const;

 private:
  std::vector<Proposer> proposers(const Matrix& matrix, std::vector<std::string> first,
                                  const StrategiesOptions& options);
  std::vector<Proposer> by_expectation(const std::vector<std::string>& first,
                                       const std::vector<std::string>& mixed,
                                       const StrategiesOptions& options);
  Proposer grid(const Matrix& matrix, const StrategiesOptions& options);
  std::vector<std::string> refined(const std::string& design);
  Proposer compact();
  Proposer structure();
  std::vector<std::string> screened(const std::vector<std::vector<std::string>>& places);
  Proposer fine();
  Proposer chance();
  bool applies(const std::string& design);
  bool is_legal(const std::string& design);

  const Matrix part_;  ///< of a large matrix, which operators are asked of; else empty
  Designer designer_;
  const Features features_;
  BanCounts bans_;
  Experience experience_;
  const SearchSpace space_;
  Random chance_;
  std::unique_ptr<Annealing> annealing_;
  std::unique_ptr<FineGrid> fine_;
  std::unique_ptr<Portfolio> portfolio_;
};

}  // namespace alphasparse
