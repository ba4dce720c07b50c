// strategy: the one interface of all strategies. A strategy is a file and a row of the table in
// strategies.cpp: proposals in, results back (Proposer).
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "base/random.h"
#include "generator/arrays/matrix.h"
#include "operators/designer.h"
#include "search/estimates/vector_orders.h"
#include "search/learning/features.h"
#include "search/space/known_designs.h"
#include "search/space/search_space.h"
#include "search/strategies/fine_grid.h"
#include "search/strategies/fitting.h"
#include "search/strategies/portfolio.h"
#include "search/strategies/row_orders.h"
#include "search/strategies/warm_start.h"

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
  bool prunes = true;     ///< designs that are certain to lose on the matrix are not proposed
  bool bounds = true;     ///< designs that cannot win by their lower bound are not tried
  bool chance = false;    ///< nothing but designs that grow at random, not even the first ones
};

struct StrategiesOptions {
  std::uint64_t seed = 0;
  Dtype dtype = default_dtype;
  bool values_vary = false;
  bool is_measured = false;            ///< parameters that a model cannot see are searched too
  const Features* features = nullptr;  ///< of the matrix, where they are known already
  WarmStart warm = {};
  SearchParts parts = {};
  const Deadline* deadline = nullptr;  ///< for proposals; null: for as many as are wanted
  Target target = Target::gpu;         ///< the target of the designs
  bool is_team = false;                ///< a CPU of several threads
  bool may_round = false;              ///< values may lose digits
  int vectors = 1;                     ///< columns of X and Y
  bool own_order = false;              ///< x and y may have an order of their own
  /// Likewise: all of them, the best first.
  std::vector<VectorOrder> vector_orders = {};
  /// So many more named designs have an early trial, as on a sample of a larger matrix.
  std::size_t more_named = 0;
  const RowOrders* row_orders = nullptr;  ///< the promising ones, where they are known already
  /// Empty: nothing is expected.
  std::function<ExpectedTimes(const Designs& designs)> expected = {};
};

/// The named and the mixed designs by the times that they are expected to take.
struct DesignLists {
  Designs first;  ///< that the search was given: the named designs as a rule
  Designs early;  ///< those from elsewhere, expected to be fast, or of which nothing is known
  Designs named, mixed;
  bool is_expected = false;  ///< `named` and `mixed` are the late ones
  std::size_t next = 0;      ///< of the early ones, whose turn it is
};

/// The state that all strategies of one search share. It outlives them.
struct StrategyContext {
  const Matrix& matrix;
  KnownDesigns& known;
  Designer& designer;
  const SearchSpace& space;
  FineGrid& fine;
  Experience& experience;
  Fitting& fitting;  ///< knows the designs that were verified, or counted on a sample
  DesignLists lists = {};

  /// Whether the design can be built on the matrix and there is time to; rules do not count.
  bool applies(const CanonicalDesign& design) const;

  /// Whether a trial of the design could tell anything.
  bool is_legal(const CanonicalDesign& design) const;
};

/// Nothing where the options leave the strategy out.
using MakeProposer = std::optional<Proposer> (*)(StrategyContext& context,
                                                 const StrategiesOptions& options);

// One function for each row of the table, in a file of its own or beside its kin.
std::optional<Proposer> warm_strategy(StrategyContext&, const StrategiesOptions&);
std::optional<Proposer> prior_strategy(StrategyContext&, const StrategiesOptions&);
std::optional<Proposer> named_strategy(StrategyContext&, const StrategiesOptions&);
std::optional<Proposer> mixed_strategy(StrategyContext&, const StrategiesOptions&);
std::optional<Proposer> compact_strategy(StrategyContext&, const StrategiesOptions&);
std::optional<Proposer> grid_strategy(StrategyContext&, const StrategiesOptions&);
std::optional<Proposer> structure_strategy(StrategyContext&, const StrategiesOptions&);
std::optional<Proposer> fine_strategy(StrategyContext&, const StrategiesOptions&);
std::optional<Proposer> chance_strategy(StrategyContext&, const StrategiesOptions&);

}  // namespace alphasparse
