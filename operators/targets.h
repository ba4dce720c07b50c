// targets: the target of a design, and the parts of the language that a target does not have.
//
// A design names its target in its launch: `threads=` are a GPU's, `tasks=` a CPU's. The other
// differences between targets, which no parameter of one of them alone states, stand here and not
// in the operators, which speak to the store.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/target.h"
#include "operators/design.h"
#include "operators/operator.h"

namespace alphasparse {

/// A CPU where some launch of the design has tasks, else a GPU; nothing where it has no launch.
std::optional<Target> target_of(const Design& design);

/// Whether the target has the parameter.
bool is_for(const ParameterSpec& spec, Target target);

/// Why the target has no such operator at all, and its replacement; nothing where it has.
std::optional<std::string_view> lacks(Target target, std::string_view op);

/// The values that a search gives to a parameter there; null: none.
CoarseGrid coarse_of(const ParameterSpec& spec, Target target);

/// The words of a parameter that searches and translations take on the target, in the order of the
/// operator's.
std::vector<std::string_view> words_on(const Operator& op, const ParameterSpec& spec,
                                       Target target);

/// Why the target has not the parameters that are given, or nothing.
std::optional<std::string> cannot_have(const Operator& op, Target target,
                                       const Arguments& arguments);

/// Why a step makes no sense on a CPU, and the step that does; nothing where the store is a GPU's.
std::optional<std::string> cannot_on_cpu(const Operator& op, const Store& store,
                                         const Arguments& arguments);

}  // namespace alphasparse
