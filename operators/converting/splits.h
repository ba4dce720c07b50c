// splits: the part that the branching operators share: whether a matrix may be split here, and the
// hand-out of its non-zeros to branches.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "generator/facts/store.h"
#include "operators/operator.h"

namespace alphasparse {

/// Why the store cannot be split, or nothing.
std::optional<std::string> cannot_split(const Store& store, const Arguments& arguments);

/// Branch `about.size()` of them; whole rows go where `branch_of_row` says. It is asked twice:
/// arrays are made as long as they will be.
std::vector<Store> split_by_rows(const Store& store, const std::vector<std::string>& description,
                                 const std::function<int(std::int32_t row)>& branch_of_row);

/// Each non-zero goes where `find_branch` says, which is asked twice. A branch has the rows of
/// which it has a non-zero; the first has every row, so that it stores rows that no branch has.
std::vector<Store> split_by_entries(
    const Store& store, const std::vector<std::string>& description,
    const std::function<int(std::int32_t row, std::int32_t nz)>& find_branch);

/// The keys that a branch has of its own.
const std::vector<Key>& matrix_keys();

}  // namespace alphasparse
