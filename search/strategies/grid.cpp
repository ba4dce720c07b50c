// grid: the strategy that searches the coarse grids of all structures by successive halving.
#include <limits>
#include <memory>

#include "operators/named_designs.h"
#include "search/strategies/halving.h"
#include "search/strategies/refinements.h"
#include "search/strategies/run_shapes.h"

namespace alphasparse {

namespace {

// Its chance relative to that of fine parameters, as trials have gained on large matrices.
constexpr double grid_weight = 0.5;
constexpr std::size_t points_most = 64;    // of one design
constexpr double grid_reach_on_cpu = 1.5;  // of the best time: grids within it may still win

/// The coarse grids of designs, without points that cannot win.
class GridPoints {
 public:
  explicit GridPoints(StrategyContext& context)
      : matrix_(context.matrix), fitting_(context.fitting), blocks_(context.matrix) {}

  Designs around(const CanonicalDesign& design) {
    fitting_.know(design);
    return coarse_variants(design, matrix_, points_most, [&](const CanonicalDesign& point) {
      return fitting_.fits(point) && !blocks_.are_mostly_pads(point);
    });
  }

 private:
  const Matrix& matrix_;
  Fitting& fitting_;
  BlockFill blocks_;
};

}  // namespace

std::optional<Proposer> grid_strategy(StrategyContext& context, const StrategiesOptions& options) {
  if (!options.parts.grid) return std::nullopt;
  Proposer grid;
  grid.weight = grid_weight;
  const auto points = std::make_shared<GridPoints>(context);
  const auto halving = std::make_shared<Halving>(
      context.known, [points](const CanonicalDesign& design) { return points->around(design); },
      [&context](const CanonicalDesign& design) { return refined(context, design); },
      [&context](const CanonicalDesign& design) { return context.applies(design); },
      options.target == Target::cpu ? grid_reach_on_cpu : std::numeric_limits<double>::infinity());
  grid.propose = [&context, halving](const Outcomes& outcomes, std::size_t count) {
    return context.space.is_over() ? Designs() : halving->next(outcomes, count);
  };
  return grid;
}

}  // namespace alphasparse
