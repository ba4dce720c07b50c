// row_orders: designs that put rows with the same columns side by side, where that pays.
//
// A sample of rows cannot tell it: it lacks most rows that belong together, and is not square. So a
// few groups of rows are taken as each order would put them side by side, and their different
// columns are counted.
// Example: 512 rows on end of a 27-point stencil, its points numbered at random, have 12,100
// different columns. 512 rows that a walk along the columns meets have 900.
#pragma once
#include <string>
#include <vector>

#include "generator/arrays/matrix.h"
#include "operators/canonical_design.h"

namespace alphasparse {

/// The orders, as words of `reorder by=`, in which neighbouring rows have at most half as many
/// different columns an entry as they have now. O(rows).
std::vector<std::string> promising_orders(const Matrix& matrix);

/// Padded slices, and blocks with their slices of x, in each promising order. Not all need be
/// legal. O(rows).
Designs reordered_designs(const Matrix& matrix, Target target);

}  // namespace alphasparse
