#include "tests/support/design_steps.h"

#include "operators/catalogue.h"
#include "operators/named_designs.h"
#include "operators/targets.h"

namespace alphasparse {

namespace {

/// Applies the steps to the store; `text` stands before them.
Result<Store> walk(Store store, const Design& design, const std::string& text,
                   const AfterStep& after) {
  Design prefix;
  for (const Step& step : design.steps) {
    const Result<Arguments> arguments = check_arguments(step);
    if (!arguments) return arguments.failure();
    const Operator& op = *find_operator(step.op);
    if (const auto why = cannot_apply(op, store, *arguments)) {
      return Failure{Status::pruned, step.op + ": " + *why};
    }
    prefix.steps.push_back(step);
    if (!op.branches) {
      op.apply(store, *arguments);
      if (after) after(store, text + print_design(prefix));
      continue;
    }
    const Result<std::vector<Store>> parts = op.split(store, *arguments);
    if (!parts) return parts.failure();
    prefix.steps.back().branches.clear();
    for (std::size_t i = 0; i < parts->size(); ++i) {
      if (after) after((*parts)[i], text + print_design(prefix));
      const Result<Store> end =
          walk((*parts)[i], step.branches[i], text + print_design(prefix) + " { ", after);
      if (!end) return end;
      store = *end;
    }
  }
  return store;
}

}  // namespace

CanonicalDesign known_of(const std::string& name_or_text) {
  return CanonicalDesign::read(resolve_design(name_or_text)).value();
}

Design design_of(const std::string& name_or_text) { return known_of(name_or_text).tree(); }

Result<Store> apply_steps(const Matrix& matrix, const std::string& text, const AfterStep& after) {
  const Result<Design> design = parse_design(text);
  if (!design) return design.failure();
  return walk(Store(matrix, find_target(*design).value_or(Target::gpu)), *design, "", after);
}

}  // namespace alphasparse
