// grid: the strategy that searches the coarse grids of all structures by successive halving.
#include <limits>
#include <memory>

#include "operators/named_designs.h"
#include "search/strategies/fitting.h"
#include "search/strategies/halving.h"
#include "search/strategies/refinements.h"
#include "search/strategies/run_shapes.h"

namespace alphasparse {

namespace {

// Its chance relative to that of fine parameters, as trials have gained on large matrices.
constexpr double grid_weight = 0.5;
constexpr double grid_reach_on_cpu = 1.5;  // of the best time: grids within it may still win

/// The coarse grids of designs, without points that cannot win.
class GridPoints {
 public:
  explicit GridPoints(const Matrix& matrix)
      : matrix_(matrix), fitting_(row_facts(matrix.row_first)), blocks_(matrix) {}

  Designs around(const CanonicalDesign& design) {
    fitting_.know(design);
    Designs points = coarse_variants(design, matrix_);
    std::erase_if(points, [&](const CanonicalDesign& point) {
      return !fitting_.fits(point) || blocks_.are_mostly_pads(point);
    });
    return points;
  }

 private:
  const Matrix& matrix_;
  Fitting fitting_;
  BlockFill blocks_;
};

}  // namespace

std::optional<Proposer> grid_strategy(StrategyContext& context, const StrategiesOptions& options) {
  if (!options.parts.grid) return std::nullopt;
  Proposer grid;
  grid.weight = grid_weight;
  const auto points = std::make_shared<GridPoints>(context.matrix);
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
