// thread_total_band_wide_gaps: thread_total_band_wide where blocks have places that are none of
// their row's. A sum that is not finite is added up again by `term`, as in thread_total_band_gaps.
#pragma once
#include "thread_total_band_gaps.cuh"
#include "thread_total_band_wide.cuh"

template <int ROWS, int COLS, int WIDTH, class ColumnOf, class ValuesOf, class Term, class Emit>
__device__ __forceinline__ void thread_total_band_wide_gaps(int first, int end, int step, int local,
                                                            const Value* x, ColumnOf column_of,
                                                            ValuesOf values_of, Term term,
                                                            Emit emit) {
  const auto without_gaps = [&](int row) {
    Value sum = 0;
    for (int block = first; block < end; block += step) {
      const int vector = block + (ROWS * COLS / WIDTH - 1) * (block - local);
      for (int place = row * COLS; place < (row + 1) * COLS; ++place) {
        const int entry = WIDTH * (vector + place / WIDTH * step) + place % WIDTH;
        sum += term(entry, block, place);
      }
    }
    return sum;
  };
  thread_total_band_wide<ROWS, COLS, WIDTH>(
      first, end, step, local, x, column_of, values_of,
      [&](int row, Value sum) { emit(row, is_not_finite(sum) ? without_gaps(row) : sum); });
}
