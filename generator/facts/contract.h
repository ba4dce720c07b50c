// contract: proves the invariants of a metadata store, and shows a store as text.
//
// An operator may have faults that no kernel shows on a small matrix: a cut that loses the last
// row, a cached fact that is stale. Every array is therefore held against its line of key_docs(),
// and every cached fact against a recount, after every operator of the tests. Nothing here is fast
// on purpose: O(nnz) a call.
#pragma once
#include <cstddef>
#include <string>

#include "generator/facts/store.h"

namespace alphasparse {

/// Empty where every invariant of the store holds, else the first broken one, in one line: key,
/// index, the entry found and the entry expected. The invariants: non-zeros are owned once, or by
/// their mirror image; offsets are monotone; ends meet; cached facts equal a recount.
std::string check_store(const Store& store);

/// The store for people: facts of the matrix and of each open level, then each array, one line
/// each. An array has its shape, its first entries (at most `entries_max`) and its documentation.
std::string store_text(const Store& store, std::size_t entries_max = 8);

}  // namespace alphasparse
