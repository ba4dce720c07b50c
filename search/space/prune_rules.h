// prune_rules: designs that are not tried at all, and the reason. Rules follow from outcomes, or
// from the matrix and the operators present.
//
// A rule stands here only if a pruned design is certain to lose against an allowed one, or to be
// rejected later at a greater price. An operator rejects a design that cannot be built at all.
// Named designs are baselines: they are measured in spite of the matrix's rules.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "operators/operator.h"
#include "runtime/database/database.h"
#include "search/space/known_designs.h"
#include "search/space/search_space.h"

namespace alphasparse {

/// Why the design must not be tried after these outcomes, or nothing. A structure that has crashed
/// the device twice is banned.
std::optional<std::string> prune_reason(const Outcomes& outcomes, KnownDesigns& known,
                                        const CanonicalDesign& design);

/// A step that is legal, and where it stands.
struct StepView {
  const SearchSpace& space;
  const std::vector<Step>& before;  ///< of its chain
  const Store& store;               ///< that it would be applied to
  const Operator& op;
  const Arguments& arguments;
  const std::vector<Prefix>* parts = nullptr;  ///< its branches; null: not split yet, or has none
};

/// One rule of the matrix, decided step by step, so that growth need not finish a pruned design.
struct StepRule {
  std::string_view name;
  std::optional<std::string> (*reason)(const StepView&);  ///< O(1)
};

const std::vector<StepRule>& step_rules();

/// The first rule's reason against the step, or nothing.
std::optional<std::string> prune_reason(const StepView& step);

/// The first reason against a step of the design, named, or nothing: also where it is not legal.
std::optional<std::string> prune_reason(const SearchSpace& space, const Design& design);

}  // namespace alphasparse
