// compose: one branch's kernel body. It opens a slot for each level. It calls the fragments of the
// chain in the innermost slot that all their workers reach, and hands sums to the sinks.
//
// The rules (each was broken once, and the emulator saw it): a step with a collective goes to the
// innermost slot that is uniform over its scope. A sum that crosses a loop to get there is
// accumulated. Collectives run with the full mask, and a lane without work brings 0. Nothing in a
// body returns or continues.
#pragma once
#include "generator/arrays/format_struct.h"
#include "generator/arrays/matrix.h"
#include "generator/code/body.h"
#include "generator/code/branch_plan.h"

namespace alphasparse {

/// Composes the branch; every array that the body reads becomes part of `format`.
Body compose_branch(BranchPlan& plan, const Matrix& matrix, FormatStruct& format);

}  // namespace alphasparse
