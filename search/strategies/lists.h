// lists: the strategies that propose designs that are known beforehand, each list in its order:
// warm, prior, named, mixed.
#pragma once
#include <functional>

#include "search/strategies/strategy.h"

namespace alphasparse {

/// A proposer of these designs before all others, each once, in order. Designs that are not `legal`
/// are left out; that is asked when their turn comes.
Proposer listed(Designs designs,
                const std::function<bool(const CanonicalDesign& design)>& legal = {});

/// The named designs `first` and the mixed ones, by the times that are expected of them.
DesignLists design_lists(const Matrix& matrix, const Designs& first,
                         const StrategiesOptions& options);

}  // namespace alphasparse
