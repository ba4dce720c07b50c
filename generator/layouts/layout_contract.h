// layout_contract: proves the invariants of a layout of any kind, as contract.h those of a store.
// O(nnz) a call. Verified kernels show that threads read their own entries: tests/mutants has the
// faults that each check finds.
#pragma once
#include <string>

#include "generator/facts/layout.h"
#include "generator/facts/store.h"

namespace alphasparse {

/// Empty where the store's levels are such as its choice of a layout needs, else why not.
std::string check_choice(const Store& store);

/// Empty where `layout` has as many positions as the kind counts, and every value of the store
/// exactly once, beside the column of its entry. Else the first fault, in one line.
std::string check_layout(const Store& store, const Layout& layout);

}  // namespace alphasparse
