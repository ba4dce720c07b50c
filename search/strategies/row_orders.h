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

/// Orders of rows, as words of `reorder by=`.
using RowOrders = std::vector<std::string>;

/// The orders in which neighbouring rows have at most half as many different columns an entry as
/// they have now. None where vectors are long (long_vectors.h): the graph of an order would take
/// more memory than the matrix. O(rows): groups have a bounded number of entries, however long a
/// row is.
RowOrders promising_orders(const Matrix& matrix);

/// Padded slices, and blocks with their slices of x, in each of these orders. One of every order
/// comes before the second of any. Where values vary, designs take any. Not all need be legal.
Designs reordered_designs(const RowOrders& orders, Target target, bool values_vary = false);

}  // namespace alphasparse
