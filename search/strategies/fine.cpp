// fine: the strategy that searches the fine grids of the best designs (fine_grid.h).
#include "search/strategies/strategy.h"

namespace alphasparse {

std::optional<Proposer> fine_strategy(StrategyContext& context, const StrategiesOptions& options) {
  if (!options.parts.fine) return std::nullopt;
  Proposer fine;
  fine.propose = [&context](const Outcomes& outcomes, std::size_t count) {
    return context.fine.propose(count, outcomes);
  };
  fine.learn = [&context](const CanonicalDesign& design, const Measurement& outcome, bool) {
    context.fine.learn(design, outcome);
  };
  return fine;
}

}  // namespace alphasparse
