// compose: one branch's kernel body. It opens a slot for each level. It calls the fragments of the
// chain in the innermost slot that all their workers reach, and hands sums to the epilogues.
//
// The rules (each was broken once, and the emulator saw it): a step with a collective goes to the
// innermost slot that is uniform over its scope. A sum that crosses a loop to get there is
// accumulated. Collectives run with the full mask, and a lane without work brings 0. Nothing in a
// body returns or continues.
#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include "generator/arrays/format_struct.h"
#include "generator/arrays/matrix.h"
#include "generator/code/body.h"
#include "generator/code/branch_plan.h"
#include "generator/code/slots.h"

namespace alphasparse {

/// A body after one of its passes.
struct PassResult {
  std::string_view name, description;  ///< of the pass
  const std::vector<Slot>& slots;
};
using BodyTrace = std::function<void(const PassResult&)>;

/// Composes the branch; every array that the body reads becomes part of `format`. `trace` is told
/// of each pass.
Body compose_branch(BranchPlan& plan, const Matrix& matrix, FormatStruct& format,
                    const BodyTrace& trace = nullptr);

}  // namespace alphasparse
