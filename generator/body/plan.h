// plan: makes one branch ready for composing: its layout, its segments, and the writers of each
// row.
//
// The writers follow from one line of a table (Writers): the worker that holds the sums, and the
// cuts of the levels around that worker. From the line follow the rows of the ports and how often
// each is written.
#pragma once
#include "base/result.h"
#include "generator/code/branch_plan.h"
#include "generator/facts/store.h"

namespace alphasparse {

Writers find_writers(const Store& store);  ///< when its reduction chain is complete

/// The store is the same afterwards. While it is planned, no other thread may read it.
Result<BranchPlan> plan_branch(Store& store);

}  // namespace alphasparse
