// thread_total_band_gaps: thread_total_band where blocks have cells that are none of their row's.
//
// Their values are 0, which an Inf or NaN of x still makes NaN. A sum that is not finite is added
// up again by `term`, from a stored position, its block and its cell there to the product, or to 0
// where the cell is a gap.
#pragma once
#include "finite.h"
#include "thread_total_band.h"

/// The sum of the cells [cell, end_cell) of one thread's blocks.
template <int CELLS, class Term>
__attribute__((noinline)) Value sum_of_cells(int cell, int end_cell, int first, int end, int step,
                                             int local, Term term) {
  Value sum = 0;
  for (int block = first; block < end; block += step) {
    const int entry = block + (CELLS - 1) * (block - local);
    for (int k = cell; k < end_cell; ++k) {
      ONE_BY_ONE;
      sum += term(entry + k * step, block, k);
    }
  }
  return sum;
}

//[ int band_row, Value sum
template <int ROWS, int COLS, class ColumnOf, class ValueOf, class Term, class Emit>
INLINE void thread_total_band_gaps(int first, int end, int step, int local, Input x,
                                   ColumnOf column_of, ValueOf value_of, Term term, Emit emit) {
  thread_total_band<ROWS, COLS>(first, end, step, local, x, column_of, value_of,
                                [&](int row, Value sum) {
                                  if (is_not_finite(sum)) {
                                    sum = sum_of_cells<ROWS * COLS>(row * COLS, (row + 1) * COLS,
                                                                    first, end, step, local, term);
                                  }
                                  emit(row, sum);
                                });
}

/// A gang's sums, those that are not finite added up again.
template <int ROWS, int COLS, int G, class Term>
__attribute__((noinline)) void add_without_gaps(Run<G> first, int end, int step, Run<G> local,
                                                Term term, Lanes<G> (&sums)[ROWS]) {
  for (int row = 0; row < ROWS; ++row) {
    alignas(64) Value lanes[G];
    std::memcpy(lanes, &sums[row], sizeof lanes);
    for (int lane = 0; lane < first.lanes; ++lane) {
      if (!is_not_finite(lanes[lane])) continue;
      lanes[lane] = sum_of_cells<ROWS * COLS>(row * COLS, (row + 1) * COLS, first[lane], end, step,
                                              local[lane], term);
    }
    std::memcpy(&sums[row], lanes, sizeof lanes);
  }
}

template <int ROWS, int COLS, int G, class ColumnOf, class ValueOf, class Term, class Emit>
INLINE void thread_total_band_gaps(Run<G> first, int end, int step, Run<G> local, Input x,
                                   ColumnOf column_of, ValueOf value_of, Term term, Emit emit) {
  Lanes<G> sums[ROWS] = {};
  add_band<ROWS, COLS>(first, end, step, local, x, column_of, value_of, sums);
  bool again = false;
#pragma GCC unroll 8
  for (int row = 0; row < ROWS; ++row) again |= any_not_finite(sums[row]);
  if (again) add_without_gaps<ROWS, COLS>(first, end, step, local, term, sums);
#pragma GCC unroll 8
  for (int row = 0; row < ROWS; ++row) emit(row, sums[row]);
}
