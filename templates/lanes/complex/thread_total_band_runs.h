// thread_total_band_runs: thread_total_band where RUN columns of a block's row lie side by side.
//
// A lane loads their elements of x at once. The runs of a gang's blocks lie one behind the other,
// with their values in the order of those elements.
#pragma once
#include "asked.h"
#include "gather_runs.h"
#include "sums.h"

/// Adds to RUN sums for each row. A tile has room for all lanes of a gang.
template <int ROWS, int COLS, int RUN, int G, class ColumnOf, class ValueOf>
INLINE void add_band_runs(Run<G> first, int end, int step, Run<G> local, Input x,
                          ColumnOf column_of, ValueOf value_of, Lanes<G * RUN> (&sums)[ROWS]) {
  using All = Lanes<G * RUN>;
  using Product = decltype(value_of(Run<G * RUN>{}) * sums[0]);
  constexpr bool fits = 2 * ROWS * All::count <= 16;  // into registers: two sums a product
  std::conditional_t<fits, SumsOf<G * RUN, Product>, All> products[ROWS] = {};
  for (Run<G> block{first.first}; block.first < end; block.first += step) {
    const int entry = ROWS * COLS * (block.first - local.first) + RUN * local.first;
#pragma GCC unroll 8
    for (int col = 0; col < COLS; col += RUN) {
      const Lanes<G* RUN> factor = gather_runs<RUN>(x + col, column_of(block));
#pragma GCC unroll 8
      for (int row = 0; row < ROWS; ++row) {
        products[row] += value_of(Run<G * RUN>{entry + (row * COLS + col) * step}) * factor;
      }
    }
  }
#pragma GCC unroll 8
  for (int row = 0; row < ROWS; ++row) sums[row] += worked_out(products[row]);
}

template <int ROWS, int COLS, int RUN, int G, class ColumnOf, class ValueOf, class Emit>
INLINE void thread_total_band_runs(Run<G> first, int end, int step, Run<G> local, Input x,
                                   ColumnOf column_of, ValueOf value_of, Emit emit) {
  Lanes<G * RUN> sums[ROWS] = {};
  add_band_runs<ROWS, COLS, RUN>(first, end, step, local, x, column_of, value_of, sums);
#pragma GCC unroll 8
  for (int row = 0; row < ROWS; ++row) emit(row, sums_of_runs<RUN>(sums[row]));
}
