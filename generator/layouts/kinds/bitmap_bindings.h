// bitmap_bindings: the blocks of a row's band as a kernel reads them.
#pragma once
#include "generator/layouts/layout_kind.h"

namespace alphasparse {

/// Adds the arrays of the blocks, `cols` columns wide, and takes them out of the layout.
void add_bitmap(Layout& layout, int cols, FormatStruct& format);

/// The functors `bits_of`, `entry_of` and `column_of` read those arrays.
Range bind_bitmap(Composition& composition, int cols);

}  // namespace alphasparse
