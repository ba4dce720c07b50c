#include "search/strategies/strategy.h"

#include "operators/catalogue.h"
#include "operators/parameter_grid.h"
#include "search/structure/growth.h"

namespace alphasparse {

bool StrategyContext::applies(const CanonicalDesign& design) const {
  return !space.is_over() && designer.branches(design).ok();
}

bool StrategyContext::is_legal(const CanonicalDesign& design) const {
  if (space.is_over()) return false;
  bool seen = true;
  for_each_step(design.tree(), [&](const Step& step) {
    const Operator* const op = find_operator(step.op);
    for (const Parameter& parameter : step.parameters) {
      const ParameterSpec* const spec = op ? find_parameter(*op, parameter.name) : nullptr;
      seen = seen && (space.limits.unmodelled || !spec || spec->modelled);
    }
  });
  return seen && normalise(space, design.tree()) == design;
}

}  // namespace alphasparse
