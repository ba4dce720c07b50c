#include "tests/support/design_steps.h"

#include "operators/catalogue.h"

namespace alphasparse {

Result<Store> apply_steps(const Matrix& matrix, const std::string& text, const AfterStep& after) {
  const Result<Design> design = parse_design(text);
  if (!design) return design.failure();
  Store store(matrix);
  Design prefix;
  for (const Step& step : design->steps) {
    const Result<Arguments> arguments = check_arguments(step);
    if (!arguments) return arguments.failure();
    const Operator& op = *find_operator(step.op);
    if (const auto why = cannot_apply(op, store, *arguments)) {
      return Failure{Status::pruned, step.op + ": " + *why};
    }
    op.apply(store, *arguments);
    prefix.steps.push_back(step);
    if (after) after(store, print_design(prefix));
  }
  return store;
}

}  // namespace alphasparse
