// orders: orders of a matrix' rows, by the words of `reorder by=` and `permute by=`.
//
// by=rcm is reverse Cuthill-McKee (Cuthill, McKee 1969; George 1971) of the pattern with its
// transpose: rows that share columns come close together. A first sweep from any
// row of a component ends far away from it, and the second one starts there. by=columns sorts the
// rows by their columns, as words are sorted by their letters. Rows that begin alike are
// neighbours. by=degree puts long rows first, and by=levels the rows of a triangle behind all that
// they name. by=dissection halves a sweep in breadth, sweeps each half alone and halves it again
// (George 1973, there with separators): rows of a part and of all parts around it are neighbours.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/facts/store.h"

namespace alphasparse {

/// Why the rows have no such order; nothing where they have.
std::optional<std::string> no_order_reason(const Store& store, std::string_view by);

/// The rows in that order.
std::vector<std::int32_t> make_order(const Store& store, std::string_view by);

}  // namespace alphasparse
