// refinements: the designs that may be better than a good one with any parameters. The strategy
// `compact` proposes those of the fastest structures, the grid those of the best of its rungs.
#pragma once
#include "search/strategies/strategy.h"

namespace alphasparse {

/// The design with the optimizer's passes. On a CPU it comes also with the other method to gather
/// x, and for a team by one thread. On a GPU that is measured it comes also with wide loads. All of
/// them are legal.
Designs refined(const StrategyContext& context, const CanonicalDesign& design);

}  // namespace alphasparse
