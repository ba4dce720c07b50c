// thread_total_band_runs: thread_total_band where the columns of a block's row lie side by side.
//
// A lane loads their elements of x at once. The rows of a gang's blocks are then runs of values in
// the order of those elements.
#pragma once
#include "gather_runs.h"

/// Adds to a sum for each column of each row. A tile has room for all lanes of a gang.
template <int ROWS, int COLS, int G, class ColumnOf, class ValueOf>
INLINE void add_band_runs(Run<G> first, int end, int step, Run<G> local, const Value* x,
                          ColumnOf column_of, ValueOf value_of, Lanes<G * COLS> (&sums)[ROWS]) {
  for (Run<G> block{first.first}; block.first < end; block.first += step) {
    const int entry = ROWS * COLS * (block.first - local.first) + COLS * local.first;
    const Lanes<G* COLS> factor = gather_runs<COLS>(x, column_of(block));
#pragma GCC unroll 8
    for (int row = 0; row < ROWS; ++row) {
      sums[row] += value_of(Run<G * COLS>{entry + row * COLS * step}) * factor;
    }
  }
}

template <int ROWS, int COLS, int G, class ColumnOf, class ValueOf, class Emit>
INLINE void thread_total_band_runs(Run<G> first, int end, int step, Run<G> local, const Value* x,
                                   ColumnOf column_of, ValueOf value_of, Emit emit) {
  Lanes<G * COLS> sums[ROWS] = {};
  add_band_runs<ROWS, COLS>(first, end, step, local, x, column_of, value_of, sums);
#pragma GCC unroll 8
  for (int row = 0; row < ROWS; ++row) emit(row, sums_of_runs<COLS>(sums[row]));
}
