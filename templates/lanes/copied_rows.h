// copied_rows: rows of y that a thread of a team has for itself. Mirror images go to rows of other
// threads' tasks, so the team adds up the copies when all tasks are done. A copy has no rows ahead
// of its tasks, and none behind their last mirror image. Source: the effective ranges of Batista,
// Ainsworth and Ribeiro (2010).
#pragma once
#include "own_output.h"

struct Format;

/// Rows [first_row, end_row) of a thread.
struct CopiedRows {
  /// The row behind those that a unit of a part adds to. Null: the part sets rows to beta * y.
  using EndRow = int (*)(const Format& f, int unit);

  int first_row, end_row;
  Value* rows;

  void clear() const {
    for (int i = 0; i < end_row - first_row; ++i) rows[i] = 0;
  }
  /// The y of the thread's tasks: matrix times x alone.
  Output output(const Output& out) const { return own_output(out, rows - first_row); }
  /// Adds alpha times the rows of [first, end) that are here.
  void add_to(const Output& out, int first, int end) const {
    end = min(end, end_row);
    for (int row = max(first, first_row); row < end; ++row)
      out[row] += out.alpha * rows[row - first_row];
  }
};
