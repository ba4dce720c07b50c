// settle: the rules that only the whole tree of a design can check. They are about the branches
// that write the same rows, their launches, and the size of the store.
//
// Branches that share rows: those of a split by entries, where a later one adds to the rows that
// the first has written. A later branch cannot store, so its plain stores become plain additions.
// Fused branches run at the same time: those that share rows may only add atomically, all of them,
// or they are not fused.
#include <algorithm>
#include <string>
#include <utility>

#include "operators/catalogue.h"
#include "search/space/prune_rules.h"
#include "search/structure/growth.h"

namespace alphasparse {

namespace {

/// Whether other branches write the rows of a branch, too.
enum class Rows { own, shared_first, shared_later };

/// A chain that ends in a launch.
struct Leaf {
  Design* chain;
  Rows rows;
};

Rows rows_of_part(Rows outer, std::size_t part, bool by_entries) {
  if (!by_entries || outer == Rows::shared_later) return outer;
  return part == 0 ? Rows::shared_first : Rows::shared_later;
}

/// False where a step does not apply.
bool collect(Designer& designer, Prefix prefix, Design& chain, Rows rows,
             std::vector<Leaf>& leaves) {
  for (Step& step : chain.steps) {
    if (step.branches.empty()) {
      Result<Prefix> next = designer.after(prefix, step);
      if (!next) return false;
      prefix = std::move(*next);
      continue;
    }
    const Result<std::vector<Prefix>> parts = designer.inside(prefix, step);
    if (!parts) return false;
    std::int64_t all_rows = 0;
    for (const Prefix& part : *parts) all_rows += part.store.rows();
    const bool by_entries = all_rows > prefix.store.rows();
    for (std::size_t i = 0; i < parts->size(); ++i) {
      const Rows inner = rows_of_part(rows, i, by_entries);
      if (!collect(designer, (*parts)[i], step.branches[i], inner, leaves)) return false;
    }
    return true;
  }
  if (!prefix.store.launch.is_set()) return false;
  leaves.push_back({&chain, rows});
  return true;
}

std::string* parameter(Step& step, std::string_view name) {
  for (Parameter& given : step.parameters) {
    if (given.name == name) return &given.value;
  }
  return nullptr;
}

bool is_fused(const Leaf& leaf) {
  const std::string* const fused = parameter(leaf.chain->steps.back(), "fused");
  return fused && *fused == "yes";
}

void part_from_others(const Leaf& leaf) {
  std::erase_if(leaf.chain->steps.back().parameters,
                [](const Parameter& given) { return given.name == "fused"; });
}

bool adds_atomically(const Leaf& leaf) {
  const auto& steps = leaf.chain->steps;
  return std::any_of(steps.begin(), steps.end(),
                     [](const Step& step) { return step.op == "global_atomic"; });
}

void mend_epilogues(const std::vector<Leaf>& leaves) {
  for (const Leaf& leaf : leaves) {
    if (leaf.rows != Rows::shared_later) continue;
    for (Step& step : leaf.chain->steps) {
      if (step.op == "global_store") step.op = "global_add";
    }
  }
}

/// Fused branches have as many threads as the first of them; one alone has no other to be fused
/// with.
void mend_fused(const std::vector<Leaf>& leaves) {
  const auto shares = [](const Leaf& leaf) { return leaf.rows != Rows::own; };
  const bool all_atomic = std::all_of(leaves.begin(), leaves.end(), [&](const Leaf& leaf) {
    return !shares(leaf) || adds_atomically(leaf);
  });
  std::vector<const Leaf*> fused;
  for (const Leaf& leaf : leaves) {
    if (!is_fused(leaf)) continue;
    if (shares(leaf) && !all_atomic) {
      part_from_others(leaf);
    } else {
      fused.push_back(&leaf);
    }
  }
  if (fused.size() == 1) part_from_others(*fused.front());
  for (const Leaf* leaf : fused) {
    std::string* const first = parameter(fused.front()->chain->steps.back(), "threads");
    *parameter(leaf->chain->steps.back(), "threads") = *first;
  }
}

}  // namespace

std::optional<CanonicalDesign> normalise(const SearchSpace& space, const Design& design) {
  Result<Design> canonical = canonical_design(design);
  if (!canonical) return std::nullopt;
  std::vector<Leaf> leaves;
  if (!collect(space.designer, space.designer.root(), *canonical, Rows::own, leaves)) {
    return std::nullopt;
  }
  mend_epilogues(leaves);
  mend_fused(leaves);
  CanonicalDesign normalised = CanonicalDesign::spelled(std::move(*canonical));
  const Result<std::vector<Store>> stores = space.designer.branches(normalised);
  if (!stores || prune_reason(space, normalised.tree())) return std::nullopt;
  if (space.designer.too_large(*stores, default_dtype, space.limits.size)) return std::nullopt;
  return normalised;
}

}  // namespace alphasparse
