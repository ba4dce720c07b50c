// grid: the strategy that searches the coarse grids of all structures by successive halving.
#include <limits>
#include <memory>

#include "operators/named_designs.h"
#include "search/strategies/halving.h"
#include "search/strategies/refinements.h"

namespace alphasparse {

namespace {

// Its chance relative to that of fine parameters, as trials have gained on large matrices.
constexpr double grid_weight = 0.5;
constexpr double grid_reach_on_cpu = 1.5;  // of the best time: grids within it may still win

}  // namespace

std::optional<Proposer> grid_strategy(StrategyContext& context, const StrategiesOptions& options) {
  if (!options.parts.grid) return std::nullopt;
  Proposer grid;
  grid.weight = grid_weight;
  const auto halving = std::make_shared<Halving>(
      context.known,
      [&context](const CanonicalDesign& design) { return coarse_variants(design, context.matrix); },
      [&context](const CanonicalDesign& design) { return refined(context, design); },
      [&context](const CanonicalDesign& design) { return context.applies(design); },
      options.target == Target::cpu ? grid_reach_on_cpu : std::numeric_limits<double>::infinity());
  grid.propose = [&context, halving](const Outcomes& outcomes, std::size_t count) {
    return context.space.is_over() ? Designs() : halving->next(outcomes, count);
  };
  return grid;
}

}  // namespace alphasparse
