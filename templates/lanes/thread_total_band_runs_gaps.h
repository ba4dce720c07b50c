// thread_total_band_runs_gaps: thread_total_band_runs where blocks have cells that are none of
// their row's. A sum that is not finite is added up again by `term`.
#pragma once
#include "thread_total_band_gaps.h"
#include "thread_total_band_runs.h"

template <int ROWS, int COLS, int RUN, int G, class ColumnOf, class ValueOf, class Term, class Emit>
INLINE void thread_total_band_runs_gaps(Run<G> first, int end, int step, Run<G> local, Input x,
                                        ColumnOf column_of, ValueOf value_of, Term term,
                                        Emit emit) {
  Lanes<G * RUN> sums_of_columns[ROWS] = {};
  add_band_runs<ROWS, COLS, RUN>(first, end, step, local, x, column_of, value_of, sums_of_columns);
  Lanes<G> sums[ROWS];
  bool again = false;
#pragma GCC unroll 8
  for (int row = 0; row < ROWS; ++row) {
    sums[row] = sums_of_runs<RUN>(sums_of_columns[row]);
    again |= any_not_finite(sums[row]);
  }
  if (again) {
    const auto term_of_run = [&](int, int block, int cell) {
      const int lane = block % step;  // tiles begin at multiples of a step
      const int first_cell = ROWS * COLS * (block - lane) + cell / RUN * RUN * step;
      return term(first_cell + RUN * lane + cell % RUN, block, cell);
    };
    add_without_gaps<ROWS, COLS>(first, end, step, local, term_of_run, sums);
  }
#pragma GCC unroll 8
  for (int row = 0; row < ROWS; ++row) emit(row, sums[row]);
}
