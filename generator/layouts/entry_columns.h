// entry_columns: the arrays that say which element of x an entry meets. They hold its column, the
// place of that in a slice of x, or the step from the entry before.
#pragma once
#include "generator/layouts/layout_kind.h"

namespace alphasparse {

/// LayoutKind::columns for entries that each have a column. Adds `column`, or, where a thread adds
/// up steps, `column_step` and the first column of each thread.
void add_entry_columns(BranchPlan& plan, const Matrix& matrix, FormatStruct& format);

/// Says how the steps of a branch become columns, once its body has been written.
void add_step_walk(const BranchPlan& plan, FormatStruct& format);

}  // namespace alphasparse
