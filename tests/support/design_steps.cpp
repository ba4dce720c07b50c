#include "tests/support/design_steps.h"

#include "generator/result.h"
#include "operators/catalogue.h"

namespace alphasparse {

namespace {

/// Applies a part of a design to the store that it begins with; `prefix` is the text before it.
class Stepper {
 public:
  explicit Stepper(const AfterStep& after) : after_(after) {}

  /// The first step that does not apply, or nothing.
  std::optional<Failure> run(Store store, const Design& design, const std::string& before) {
    Design prefix;
    for (const Step& step : design.steps) {
      const Result<Arguments> arguments = check_arguments(step);
      if (!arguments) return arguments.failure();
      const Operator& op = *find_operator(step.op);
      if (const auto why = cannot_apply(op, store, *arguments)) {
        return Failure{Status::pruned, step.op + ": " + *why};
      }
      if (op.branches) return split(op, *arguments, store, step, before + print_design(prefix));
      op.apply(store, *arguments);
      prefix.steps.push_back(step);
      if (after_) after_(store, before + print_design(prefix));
    }
    leaves.push_back(std::move(store));
    return std::nullopt;
  }

  std::vector<Store> leaves;

 private:
  std::optional<Failure> split(const Operator& op, const Arguments& arguments, const Store& store,
                               const Step& step, const std::string& before) {
    const Result<std::vector<Store>> parts = op.split(store, arguments);
    if (!parts) return parts.failure();
    CHECK(parts->size() == step.branches.size());
    for (std::size_t i = 0; i < parts->size(); ++i) {
      const std::string place = before + " | " + step.op + " " + std::to_string(i) + ": ";
      if (after_) after_((*parts)[i], place);
      if (auto failure = run((*parts)[i], step.branches[i], place)) return failure;
    }
    return std::nullopt;
  }

  const AfterStep& after_;
};

}  // namespace

Result<std::vector<Store>> apply_branches(const Matrix& matrix, const std::string& text,
                                          const AfterStep& after) {
  const Result<Design> design = parse_design(text);
  if (!design) return design.failure();
  Stepper stepper(after);
  if (const auto failure = stepper.run(Store(matrix), *design, "")) return *failure;
  return std::move(stepper.leaves);
}

Result<Store> apply_steps(const Matrix& matrix, const std::string& text, const AfterStep& after) {
  Result<std::vector<Store>> leaves = apply_branches(matrix, text, after);
  if (!leaves) return leaves.failure();
  CHECK(leaves->size() == 1);
  return std::move(leaves->front());
}

}  // namespace alphasparse
