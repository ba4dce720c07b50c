// thread_total_band: one thread, or each lane of a gang, adds the products of a band of dense
// blocks, a sum for each of its rows.
//
// It reads blocks first, first + step, ... below end, as thread `local` of a tile; the threads of a
// tile are `step` positions apart. A block has its first column and ROWS x COLS values, so COLS
// gathers of x serve all of them. Source: BCSR (Im, Yelick 1999) in the order of SELL (Kreutzer,
// Hager, Wellein, Fehske, Bishop 2014).
#pragma once
#include "asked.h"
#include "gather.h"

//[ int band_row, Value sum
template <int ROWS, int COLS, class ColumnOf, class ValueOf, class Emit>
INLINE void thread_total_band(int first, int end, int step, int local, Input x, ColumnOf column_of,
                              ValueOf value_of, Emit emit) {
  Value sums[ROWS] = {};
  for (int block = first; block < end; block += step) {
    const int entry = block + (ROWS * COLS - 1) * (block - local);
    const Input block_x = x + column_of(block);
#pragma GCC unroll 32
    for (int cell = 0; cell < ROWS * COLS; ++cell) {
      sums[cell / COLS] += value_of(entry + cell * step) * block_x[cell % COLS];
    }
  }
#pragma GCC unroll 8
  for (int row = 0; row < ROWS; ++row) emit(row, sums[row]);
}

/// Adds to a gang's sums of each row. A tile has room for all lanes of a gang.
template <int ROWS, int COLS, int G, class ColumnOf, class ValueOf>
INLINE void add_band(Run<G> first, int end, int step, Run<G> local, Input x, ColumnOf column_of,
                     ValueOf value_of, Lanes<G> (&sums)[ROWS]) {
  for (Run<G> block{first.first}; block.first < end; block.first += step) {
    const Run<G> entry{block.first + (ROWS * COLS - 1) * (block.first - local.first)};
    const auto columns = column_of(block);
    Lanes<G> factor[COLS];
#pragma GCC unroll 32
    for (int c = 0; c < COLS; ++c) factor[c] = gather(x + c, columns);
#pragma GCC unroll 32
    for (int cell = 0; cell < ROWS * COLS; ++cell) {
      sums[cell / COLS] += value_of(cell * step + entry) * factor[cell % COLS];
    }
  }
}

//[ thread_total_band<
template <int ROWS, int COLS, int G, class ColumnOf, class ValueOf, class Emit>
INLINE void thread_total_band(Run<G> first, int end, int step, Run<G> local, Input x,
                              ColumnOf column_of, ValueOf value_of, Emit emit) {
  Lanes<G> sums[ROWS] = {};
  add_band<ROWS, COLS>(first, end, step, local, x, column_of, value_of, sums);
#pragma GCC unroll 8
  for (int row = 0; row < ROWS; ++row) emit(row, sums[row]);
}
