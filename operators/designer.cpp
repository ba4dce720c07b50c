#include "operators/designer.h"

#include <fmt/format.h>

#include "generator/kernel_builder.h"
#include "generator/layout.h"
#include "operators/catalogue.h"

namespace alphasparse {

Designer::Designer(const Matrix& matrix) : matrix_(matrix), root_(matrix) {}

Result<Store> Designer::apply(const Design& design) {
  const Result<Design> canonical = canonical_design(design);
  if (!canonical) return canonical.failure();
  Result<Store> store = apply_steps(*canonical, canonical->steps.size());
  if (store && store->launch.threads == 0) {
    return Failure{Status::pruned, "the design ends before its launch; add '| launch threads=128'"};
  }
  return store;
}

Result<Store> Designer::apply_steps(const Design& design, std::size_t count) {
  if (count == 0) return root_;
  Design prefix = design;
  prefix.steps.resize(count);
  const std::string text = print_design(prefix);
  if (const auto found = kept_.find(text); found != kept_.end()) return found->second;
  Result<Store> store = apply_steps(design, count - 1);
  if (!store) return store;

  const Step& step = design.steps[count - 1];
  const Operator& op = *find_operator(step.op);
  const Result<Arguments> arguments = check_arguments(step);
  if (!arguments) return arguments.failure();
  if (const auto why = cannot_apply(op, *store, *arguments)) {
    return Failure{Status::pruned, fmt::format("{}: {}", step.op, *why)};
  }
  op.apply(*store, *arguments);
  // Implementing steps are cheap; a prefix worth keeping ends with the arrays that they work on.
  if (op.stage != Stage::implementing) {
    if (kept_.size() >= kept_max) kept_.clear();
    kept_.emplace(text, *store);
  }
  return store;
}

Result<Kernel> Designer::build(const std::string& text, Dtype dtype, const BuildLimits& limits) {
  const Result<Design> parsed = parse_design(text);
  if (!parsed) return parsed.failure();
  const Result<Design> design = canonical_design(*parsed);
  if (!design) return design.failure();
  const Result<Store> store = apply(*design);
  if (!store) return store.failure();
  const double entry_bytes = dtype_bytes(dtype) + 4;
  const double bytes = static_cast<double>(stored_entries(*store)) * entry_bytes;
  const double allowed =
      static_cast<double>(matrix_.nnz()) * entry_bytes * limits.csr_bytes_ratio_max +
      static_cast<double>(limits.bytes_free);
  if (bytes > allowed) {
    return Failure{Status::pruned,
                   fmt::format("{:.0f} bytes with pads are {:.1f} times the matrix's", bytes,
                               bytes / (static_cast<double>(matrix_.nnz()) * entry_bytes))};
  }
  return build_kernel(matrix_, *store, print_design(*design), dtype);
}

}  // namespace alphasparse
