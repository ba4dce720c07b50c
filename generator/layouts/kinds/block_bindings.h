// block_bindings: the reads of threads with bands of dense blocks, and the places of their sums.
#pragma once
#include "generator/layouts/layout_kind.h"

namespace alphasparse {

/// Puts the functors where bodies find them: `column_of`, `value_of` or `values_of`, `emit`
/// and, where blocks have gaps, `term`. Returns nothing: no local stands for a row of y.
Code bind_blocks(Composition& composition);

}  // namespace alphasparse
