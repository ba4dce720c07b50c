#include "operators/designer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "generator/facts/layout.h"
#include "generator/layouts/positions.h"
#include "generator/text/kernel_builder.h"
#include "operators/catalogue.h"
#include "operators/targets.h"

namespace alphasparse {

namespace {

// Bytes of the stores that are kept, roughly: of a matrix of 15 million non-zeros one, of a larger
// one none.
constexpr std::int64_t kept_bytes_most = std::int64_t{176} << 20;
constexpr std::int64_t kept_most = 1024;

/// A converting step makes new columns, sources and offsets.
std::int64_t store_bytes(const Matrix& matrix) {
  return 12 * matrix.nnz() + 8 * std::int64_t{matrix.rows} + 1024;
}

/// How many stores to keep.
std::size_t kept_count(const Matrix& matrix) {
  return static_cast<std::size_t>(std::min(kept_bytes_most / store_bytes(matrix), kept_most));
}

/// How many times to keep all branches of a step.
std::size_t kept_splits(const Matrix& matrix) { return kept_count(matrix) / 4; }

/// Bytes of a value and a column.
std::int64_t entry_bytes(Dtype dtype) { return number_type(dtype).bytes + 4; }

/// Bounds the positions of regular parts while it lives. A build may end by an exception.
class PositionsBound {
 public:
  PositionsBound(std::int64_t& most, double bound) : most_(most) {
    most_ = static_cast<std::int64_t>(std::min<double>(bound, index_limit));
  }
  ~PositionsBound() { most_ = index_limit; }
  PositionsBound(const PositionsBound&) = delete;
  PositionsBound& operator=(const PositionsBound&) = delete;

 private:
  std::int64_t& most_;
};

/// Bytes of values and columns, pads included.
double bytes_most(const Matrix& matrix, Dtype dtype, const BuildLimits& limits) {
  return static_cast<double>(matrix.nnz() * entry_bytes(dtype)) * limits.csr_bytes_ratio_max +
         static_cast<double>(limits.bytes_free);
}

std::string extended(const std::string& text, const Step& step) {
  const bool begins = text.empty() || text.ends_with("{ ");
  return text + (begins ? "" : " | ") + print_design({{step}});
}

/// Whether positions of a regular part are listed only to be dropped again.
bool drops_fill(const Step& step) {
  const std::vector<Step>& regular = step.branches.front().steps;
  return std::any_of(regular.begin(), regular.end(),
                     [](const Step& each) { return each.op == "compress"; });
}

Step without_branches(const Step& step) { return {step.op, step.parameters, {}}; }

}  // namespace

Designer::Designer(const Matrix& matrix, Target target)
    : matrix_(matrix),
      root_(Store::refer_to(matrix, target)),
      kept_(kept_count(matrix)),
      split_(kept_splits(matrix)) {}

std::int64_t Designer::kept_bytes(const Matrix& matrix) {
  return static_cast<std::int64_t>(kept_count(matrix) + kept_splits(matrix)) * store_bytes(matrix);
}

Result<Prefix> Designer::after(const Prefix& prefix, const Step& step) {
  const Result<Step> canonical = canonical_step(step);
  if (!canonical) return canonical.failure();
  return add_canonical(prefix, *canonical);
}

Result<std::vector<Prefix>> Designer::inside(const Prefix& prefix, const Step& step) {
  const Result<Step> canonical = canonical_step(step);
  if (!canonical) return canonical.failure();
  return inside_canonical(prefix, *canonical);
}

Result<Store> Designer::apply(const Design& design) {
  Result<std::vector<Store>> stores = branches(design);
  if (!stores) return stores.failure();
  CHECK(stores->size() == 1);
  return std::move(stores->front());
}

Result<std::vector<Store>> Designer::branches(const Design& design) {
  const Result<CanonicalDesign> canonical = CanonicalDesign::of(design);
  return canonical ? branches(*canonical) : canonical.failure();
}

Result<std::vector<Store>> Designer::branches(const CanonicalDesign& design) {
  if (const auto target = find_target(design.tree())) turn_to(*target);
  std::vector<Store> stores;
  if (const auto failure = add_branches(root(), design.tree(), stores)) return *failure;
  return stores;
}

void Designer::turn_to(Target target) {
  if (target == root_.target()) return;
  root_ = root_.retarget(target);
  kept_ = PrefixCache<Store>(kept_count(matrix_));
  split_ = PrefixCache<std::vector<Store>>(kept_splits(matrix_));
}

std::optional<Failure> Designer::add_branches(Prefix prefix, const Design& design,
                                              std::vector<Store>& stores) {
  const bool ends_in_branches = !design.steps.empty() && !design.steps.back().branches.empty();
  const std::size_t linear = design.steps.size() - (ends_in_branches ? 1 : 0);
  Result<Prefix> end = add_steps(std::move(prefix), design, linear);
  if (!end) return end.failure();
  if (!ends_in_branches) {
    if (!end->store.launch.is_set()) {
      const char* const epilogue = end->store.epilogue.empty() ? "| global_atomic " : "";
      return Failure{Status::pruned,
                     fmt::format("the design ends before its launch; add '{0}| launch "
                                 "threads=128', for a CPU '{0}| launch tasks=bytes'",
                                 epilogue)};
    }
    stores.push_back(std::move(end->store));
    return std::nullopt;
  }
  const Step& step = design.steps.back();
  Result<std::vector<Prefix>> parts = inside_canonical(*end, step);
  if (!parts) return parts.failure();
  end = Prefix(root());  // as above
  for (std::size_t i = 0; i < parts->size(); ++i) {
    if (auto failure = add_branches(std::move((*parts)[i]), step.branches[i], stores)) {
      failure->reason = fmt::format("branch {}: {}", i + 1, failure->reason);
      return failure;
    }
  }
  return std::nullopt;
}

Result<std::vector<Prefix>> Designer::inside_canonical(const Prefix& prefix, const Step& step) {
  const std::string text = extended(prefix.text, without_branches(step));
  const Result<std::vector<Store>> parts = split(text, prefix.store, step);
  if (!parts) return parts.failure();
  std::vector<Prefix> prefixes;
  for (std::size_t i = 0; i < parts->size(); ++i) {
    prefixes.push_back({fmt::format("{} {} {{ ", text, i + 1), (*parts)[i]});
  }
  return prefixes;
}

Result<std::vector<Store>> Designer::split(const std::string& text, const Store& store,
                                           const Step& step) {
  if (const auto* known = split_.find(text)) return *known;
  const Operator& op = *find_operator(step.op);
  const Result<Arguments> arguments = check_arguments(step);
  if (!arguments) return arguments.failure();
  if (const auto reason = cannot_apply(op, store, *arguments)) {
    return Failure{Status::pruned, fmt::format("{}: {}", step.op, *reason)};
  }
  Store limited = store;
  if (!drops_fill(step)) limited.listed_positions_max = listed_positions_max_;
  Result<std::vector<Store>> parts = op.split(limited, *arguments);
  if (!parts) {
    return Failure{parts.failure().status, fmt::format("{}: {}", step.op, parts.reason())};
  }
  CHECK(parts->size() == step.branches.size());
  split_.keep(text, *parts);
  return parts;
}

/// The longest prefix that is kept, then step by step.
Result<Prefix> Designer::add_steps(Prefix prefix, const Design& design, std::size_t count) {
  std::vector<std::string> texts{prefix.text};
  for (std::size_t i = 0; i < count; ++i) texts.push_back(extended(texts[i], design.steps[i]));
  Prefix at = std::move(prefix);
  std::size_t done = count;
  for (; done > 0; --done) {
    const Store* const known = kept_.find(texts[done]);
    if (!known) continue;
    at = {texts[done], *known};
    break;
  }
  for (; done < count; ++done) {
    Result<Prefix> next = add_canonical(at, design.steps[done]);
    if (!next) return next;
    at = std::move(*next);
  }
  return at;
}

Result<Prefix> Designer::add_canonical(const Prefix& prefix, const Step& step) {
  std::string text = extended(prefix.text, step);
  if (const Store* const known = kept_.find(text)) return Prefix{std::move(text), *known};
  const Operator& op = *find_operator(step.op);
  const Result<Arguments> arguments = check_arguments(step);
  if (!arguments) return arguments.failure();
  if (const auto reason = cannot_apply(op, prefix.store, *arguments)) {
    return Failure{Status::pruned, fmt::format("{}: {}", step.op, *reason)};
  }
  CHECK(op.apply);
  Prefix next{std::move(text), prefix.store};
  op.apply(next.store, *arguments);
  // Implementing steps are cheap; a prefix worth keeping ends with the arrays that they work on.
  if (op.stage != Stage::implementing) kept_.keep(next.text, next.store);
  return next;
}

std::optional<Failure> Designer::too_large(const std::vector<Store>& branches, Dtype dtype,
                                           const BuildLimits& limits) const {
  double bytes = 0;
  for (const Store& store : branches)
    bytes += static_cast<double>(stored_entries(store) * entry_bytes(dtype));
  if (bytes <= bytes_most(matrix_, dtype, limits)) return std::nullopt;
  const auto csr_bytes = static_cast<double>(matrix_.nnz() * entry_bytes(dtype));
  return Failure{Status::pruned, fmt::format("{:.0f} bytes with pads are {:.1f} times the matrix's",
                                             bytes, bytes / csr_bytes)};
}

Result<Designer::Built> Designer::build_whole(const CanonicalDesign& design,
                                              const Operands& operands, const BuildLimits& limits) {
  const Dtype dtype = operands.dtype;
  const double positions_max =
      bytes_most(matrix_, dtype, limits) / static_cast<double>(entry_bytes(dtype));
  Result<std::vector<Store>> stores = [&] {
    const PositionsBound bound(listed_positions_max_, positions_max);
    return branches(design);
  }();
  if (!stores) return stores.failure();
  if (const auto failure = too_large(*stores, dtype, limits)) return *failure;
  Result<Kernel> kernel = build_kernel(matrix_, *stores, design.text(), operands);
  if (!kernel) return kernel.failure();
  return Built{std::move(*kernel), std::move(*stores)};
}

Result<Kernel> Designer::build(const std::string& text, const Operands& operands,
                               const BuildLimits& limits) {
  const Result<CanonicalDesign> design = CanonicalDesign::read(text);
  if (!design) return design.failure();
  Result<Built> built = build_whole(*design, operands, limits);
  if (!built) return built.failure();
  built->branches.clear();
  make_bytes(built->kernel);
  return std::move(built->kernel);
}

}  // namespace alphasparse
