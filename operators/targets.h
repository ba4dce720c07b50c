// targets: the target of a design, and the parts of the language that a target does not have.
//
// A design names its target in its launch: `threads=` are a GPU's, `tasks=` a CPU's. The other
// differences between targets are fields of an operator's row (OnCpu) and of its parameters.
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
std::optional<Target> find_target(const Design& design);

/// Whether the target has the parameter.
bool is_for(const ParameterSpec& spec, Target target);

/// The values that a search gives to a parameter there; null: none.
CoarseGrid get_coarse(const ParameterSpec& spec, Target target);

/// The words of a parameter that searches and translations take on the target.
const std::vector<std::string_view>& list_choices(const ParameterSpec& spec, Target target);

/// Why the target has not the parameters that are given, or nothing.
std::optional<std::string> cannot_have(const Operator& op, Target target,
                                       const Arguments& arguments);

/// Why a step makes no sense on a CPU, and the step that does; nothing where the store is a GPU's.
std::optional<std::string> cannot_on_cpu(const Operator& op, const Store& store,
                                         const Arguments& arguments);

/// OnCpu::rejects of the reductions of threads: why lanes cannot read as the store has it.
std::optional<std::string> cannot_reduce(const Store& store, const Arguments&);

/// OnCpu::rejects of the epilogues: why the lanes of a gang cannot hand their sums to one.
std::optional<std::string> reject_epilogue(const Store& store, const Arguments&);

/// OnCpu::lacks of operators for blocks of threads.
inline constexpr std::string_view no_blocks =
    "a core has no blocks of threads; leave it out, or use its warp_ or thread_ form";

}  // namespace alphasparse
