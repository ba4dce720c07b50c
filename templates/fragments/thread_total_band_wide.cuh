// thread_total_band_wide: thread_total_band where WIDTH neighbouring values of a block lie side by
// side and are loaded at once.
//
// The vectors of values take the place of single ones: a block has ROWS * COLS / WIDTH of them.
#pragma once
#include "prelude.cuh"

/// Values that lie side by side.
template <int WIDTH>
struct Neighbours {
  Value value[WIDTH];
};

template <int ROWS, int COLS, int WIDTH, class ColumnOf, class ValuesOf, class Emit>
__device__ __forceinline__ void thread_total_band_wide(int first, int end, int step, int local,
                                                       const Value* x, ColumnOf column_of,
                                                       ValuesOf values_of, Emit emit) {
  Value sums[ROWS] = {};
  for (int block = first; block < end; block += step) {
    const int vector = block + (ROWS * COLS / WIDTH - 1) * (block - local);
    const Value* const block_x = x + column_of(block);
    Value factor[COLS];
#pragma unroll
    for (int c = 0; c < COLS; ++c) factor[c] = block_x[c];
#pragma unroll
    for (int place = 0; place < ROWS * COLS; place += WIDTH) {
      const Neighbours<WIDTH> of = values_of(WIDTH * (vector + place / WIDTH * step));
#pragma unroll
      for (int k = 0; k < WIDTH; ++k) {
        sums[(place + k) / COLS] += of.value[k] * factor[(place + k) % COLS];
      }
    }
  }
#pragma unroll
  for (int row = 0; row < ROWS; ++row) emit(row, sums[row]);
}
