// epilogues: how the sums of each port reach y.
//
// Epilogues are chosen over all branches, launch by launch; a branch with carries has one more. A
// port is alone if its rows have no other writer in its launch. Such a port stores them where no
// launch before has written any of them, and else adds plainly. Any other port adds atomically.
// Rows that are added to before anything was stored in them, and rows without a writer, are
// initialised by a launch ahead of all others. Mirror images (Store::mirror) are always added
// atomically on a GPU. On a CPU they and the sums beside them are added plainly, for each thread of
// a team has rows of y for itself.
#pragma once
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "generator/code/branch_plan.h"

namespace alphasparse {

/// Decides the epilogue of every port; returns the rows to initialise, ascending. `launches` are in
/// their order; the branches of one run together. Fails where a design's epilogue asks for more
/// than the rows' writers allow.
Result<std::vector<std::int32_t>> choose_epilogues(
    const std::vector<std::vector<BranchPlan*>>& launches, std::int32_t rows);

}  // namespace alphasparse
