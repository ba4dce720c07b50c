#include "operators/designer.h"

#include <fmt/format.h>

#include "generator/kernel_builder.h"
#include "generator/layout.h"
#include "operators/catalogue.h"

namespace alphasparse {

Designer::Designer(const Matrix& matrix) : matrix_(matrix), root_(matrix) {}

Result<Store> Designer::apply(const Design& design) {
  Result<std::vector<Store>> stores = branches(design);
  if (!stores) return stores.failure();
  CHECK(stores->size() == 1);
  return std::move(stores->front());
}

Result<std::vector<Store>> Designer::branches(const Design& design) {
  const Result<Design> canonical = canonical_design(design);
  if (!canonical) return canonical.failure();
  std::vector<Store> stores;
  if (const auto failure = add_branches({"", root_}, *canonical, stores)) return *failure;
  return stores;
}

std::optional<Failure> Designer::add_branches(const Place& place, const Design& design,
                                              std::vector<Store>& stores) {
  const bool ends_in_branches = !design.steps.empty() && !design.steps.back().branches.empty();
  const std::size_t linear = design.steps.size() - (ends_in_branches ? 1 : 0);
  const Result<Store> store = apply_steps(place, design, linear);
  if (!store) return store.failure();
  if (!ends_in_branches) {
    if (store->launch.threads == 0) {
      const char* const end =
          store->sink.empty() ? "| global_atomic | launch threads=128" : "| launch threads=128";
      return Failure{Status::pruned,
                     fmt::format("the design ends before its launch; add '{}'", end)};
    }
    stores.push_back(*store);
    return std::nullopt;
  }
  const Step& step = design.steps.back();
  Design prefix = design;
  prefix.steps.back().branches.clear();
  const std::string text = place.text + print_design(prefix);
  const Result<std::vector<Store>> parts = split(text, *store, step);
  if (!parts) return parts.failure();
  for (std::size_t i = 0; i < parts->size(); ++i) {
    const Place inside{fmt::format("{} {} {{ ", text, i + 1), (*parts)[i]};
    if (auto failure = add_branches(inside, step.branches[i], stores)) {
      failure->reason = fmt::format("branch {}: {}", i + 1, failure->reason);
      return failure;
    }
  }
  return std::nullopt;
}

Result<std::vector<Store>> Designer::split(const std::string& text, const Store& store,
                                           const Step& step) {
  if (const auto found = split_.find(text); found != split_.end()) return found->second;
  const Operator& op = *find_operator(step.op);
  const Result<Arguments> arguments = check_arguments(step);
  if (!arguments) return arguments.failure();
  if (const auto why = cannot_apply(op, store, *arguments)) {
    return Failure{Status::pruned, fmt::format("{}: {}", step.op, *why)};
  }
  Result<std::vector<Store>> parts = op.split(store, *arguments);
  if (!parts) {
    return Failure{parts.failure().status, fmt::format("{}: {}", step.op, parts.reason())};
  }
  CHECK(parts->size() == step.branches.size());
  if (split_.size() >= kept_max / 4) split_.clear();
  split_.emplace(text, *parts);
  return parts;
}

Result<Store> Designer::apply_steps(const Place& place, const Design& design, std::size_t count) {
  if (count == 0) return place.store;
  Design prefix = design;
  prefix.steps.resize(count);
  const std::string text = place.text + print_design(prefix);
  if (const auto found = kept_.find(text); found != kept_.end()) return found->second;
  Result<Store> store = apply_steps(place, design, count - 1);
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
  const Result<std::vector<Store>> stores = branches(*design);
  if (!stores) return stores.failure();
  const double entry_bytes = dtype_bytes(dtype) + 4;
  double bytes = 0;
  for (const Store& store : *stores) {
    bytes += static_cast<double>(stored_entries(store)) * entry_bytes;
  }
  const double allowed =
      static_cast<double>(matrix_.nnz()) * entry_bytes * limits.csr_bytes_ratio_max +
      static_cast<double>(limits.bytes_free);
  if (bytes > allowed) {
    return Failure{Status::pruned,
                   fmt::format("{:.0f} bytes with pads are {:.1f} times the matrix's", bytes,
                               bytes / (static_cast<double>(matrix_.nnz()) * entry_bytes))};
  }
  return build_kernel(matrix_, *stores, print_design(*design), dtype);
}

}  // namespace alphasparse
