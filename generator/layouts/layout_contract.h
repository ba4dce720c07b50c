// layout_contract: proves the invariants of a layout, as contract.h those of a store. The kind of
// the layout works out each thread's entries again from the store's facts alone, and compares them
// with the stored columns and values. O(nnz) a call.
#pragma once
#include <string>

#include "generator/facts/layout.h"
#include "generator/facts/store.h"

namespace alphasparse {

/// Empty where the store's levels are such as its choice of a layout needs, else why not.
std::string check_choice(const Store& store);

/// Empty where `layout` stores every value of the store exactly once, at a place that its thread
/// reads. Every pad must repeat a column of its own row or be predicated. Else the first fault, in
/// one line.
std::string check_layout(const Store& store, const Layout& layout);

}  // namespace alphasparse
