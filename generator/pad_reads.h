// pad_reads: which rows add pads up, and which x these pads meet.
//
// A pad has value 0 and repeats a column of its row (layout.h), and so has fill (store.h). 0 times
// Inf is NaN: where x has an Inf in that column, the row is NaN, and not the Inf that it should be.
// Rows that do not have the column never meet its x.
//
// Not all pads are added: lanes of empty rows are cleared, products of column -1 predicated, places
// of diagonals and bits masked, and a band of dense blocks adds its row again by its bits.
#pragma once
#include <cstdint>
#include <vector>

#include "generator/kernel.h"
#include "generator/store.h"

namespace alphasparse {

/// The column that the pads of a thread repeat; it has a non-zero.
std::int32_t pad_column_of(const Store& store, std::int64_t unit);

/// Of each thread that adds pads, one; by rows and columns of the store.
std::vector<PadRead> pad_reads(const Store& store);

}  // namespace alphasparse
