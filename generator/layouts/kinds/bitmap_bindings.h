// bitmap_bindings: the blocks of a row's band as a kernel reads them.
#pragma once
#include "generator/layouts/layout_kind.h"

namespace alphasparse {

/// Adds the arrays of the blocks, `cols` columns wide. The functors `bits_of`, `entry_of` and
/// `column_of` are there then.
Items bind_bitmap(Composition& composition, int cols);

}  // namespace alphasparse
