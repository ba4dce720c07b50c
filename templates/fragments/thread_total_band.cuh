// thread_total_band: one thread adds the products of a band of dense blocks, a sum for each of its
// rows.
//
// It reads blocks first, first + step, ... below end, as thread `local` of a tile; the threads of a
// tile are `step` positions apart. A block has its first column and ROWS x COLS values, so COLS
// loads of x serve all of them. Source: BCSR (Im, Yelick 1999) in the order of SELL (Kreutzer,
// Hager, Wellein, Fehske, Bishop 2014).
#pragma once
#include "prelude.cuh"

template <int ROWS, int COLS, class ColumnOf, class ValueOf, class Emit>
__device__ __forceinline__ void thread_total_band(int first, int end, int step, int local, Input x,
                                                  ColumnOf column_of, ValueOf value_of, Emit emit) {
  Value sums[ROWS] = {};
  for (int block = first; block < end; block += step) {
    const int entry = block + (ROWS * COLS - 1) * (block - local);
    const long long column = column_of(block);
    Value factor[COLS];
#pragma unroll
    for (int c = 0; c < COLS; ++c) factor[c] = x[column + c];
#pragma unroll
    for (int cell = 0; cell < ROWS * COLS; ++cell) {
      sums[cell / COLS] += value_of(entry + cell * step) * factor[cell % COLS];
    }
  }
#pragma unroll
  for (int row = 0; row < ROWS; ++row) emit(row, sums[row]);
}
