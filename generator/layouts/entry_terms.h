// entry_terms: the functor from a stored position to its product, for layouts with a column an
// entry. It takes one entry, several at once, steps between columns, or adds a product for the
// mirror image.
#pragma once
#include "generator/layouts/layout_kind.h"

namespace alphasparse {

/// LayoutKind::term for entries that each have a column. `whole_runs`: lanes of a gang read
/// neighbouring positions that lie in one run.
Code bind_entry_term(Composition& composition, bool whole_runs);

/// The same for a body that knows the column of each entry and passes it.
Code bind_known_column_term(Composition& composition);

}  // namespace alphasparse
