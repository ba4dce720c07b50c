// thread_total_band_wide: a band of dense blocks by loads of VECTOR neighbouring values.
#pragma once
#include "prelude.cuh"

/// Values that lie side by side.
template <int VECTOR>
struct Neighbours {
  Value value[VECTOR];
};

// One thread adds the products of a band of blocks, a sum for each of its rows.
//
// It reads blocks first, first + step, ... below end, as thread `local` of a tile with `step`
// threads. A block has its first column, and ROWS x COLS values in vectors that are `step` vectors
// apart. COLS loads of x serve all of its rows. Source: BCSR (Im, Yelick 1999) in the order of SELL
// (Kreutzer, Hager, Wellein, Fehske, Bishop 2014).
template <int ROWS, int COLS, int VECTOR, class ColumnOf, class ValuesOf, class Emit>
__device__ __forceinline__ void thread_total_band_wide(int first, int end, int step, int local,
                                                       Input x, ColumnOf column_of,
                                                       ValuesOf values_of, Emit emit) {
  Value sums[ROWS] = {};
  for (int block = first; block < end; block += step) {
    // Behind the vectors of all blocks of the rounds before, and of one for each thread before.
    const int first_vector = block + (ROWS * COLS / VECTOR - 1) * (block - local);
    const long long column = column_of(block);
    Value factor[COLS];
#pragma unroll
    for (int c = 0; c < COLS; ++c) factor[c] = x[column + c];
#pragma unroll
    for (int cell = 0; cell < ROWS * COLS; cell += VECTOR) {
      const auto values = values_of(VECTOR * (first_vector + cell / VECTOR * step));
#pragma unroll
      for (int k = 0; k < VECTOR; ++k) {
        sums[(cell + k) / COLS] += values.value[k] * factor[(cell + k) % COLS];
      }
    }
  }
#pragma unroll
  for (int row = 0; row < ROWS; ++row) emit(row, sums[row]);
}
