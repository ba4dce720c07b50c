// positions: the one final step that assigns stored positions - pads, transposition and offsets of
// every parent.
//
// The kind of the layout assigns them (layout_kind.h). A pad has value 0 and repeats a column of
// its own row. So it never makes a row non-finite that the reference leaves finite, but may make
// NaN of Inf (pad_reads.h). Where a thread has no entry of its own (an empty row) its pads have
// column -1 and the product is predicated. Lanes of a gang meet column 0 there, and their sum is
// cleared behind the last product. Pads that no thread reads (`own_length`) have column 0 there. In
// one triangle of a symmetric matrix padded threads repeat the first column of their row, mostly
// the diagonal: it has no image to add.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "generator/facts/layout.h"
#include "generator/facts/store.h"

namespace alphasparse {

/// Positions that assign_positions would use, pads included, without building anything. Of a design
/// whose threads are not cut yet: its entries.
std::int64_t stored_entries(const Store& store);

/// Why a kernel's int cannot count so many stored entries: a thread stops at the first position
/// behind them, and with several sums it asks whether a whole round of strides is left.
std::optional<std::string> uncounted_reason(std::int64_t stored, std::int64_t stride, int sums);

/// Assigns them. Fails where uncounted_reason says so.
Result<Layout> assign_positions(const Store& store);

}  // namespace alphasparse
