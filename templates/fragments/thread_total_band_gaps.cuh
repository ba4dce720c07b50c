// thread_total_band_gaps: thread_total_band where blocks have cells that are none of their row's.
//
// Their values are 0, which an Inf or NaN of x still makes NaN. A sum that is not finite is added
// up again by `term`, from a stored position, its block and its cell there to the product, or to 0
// where the cell is a gap.
#pragma once
#include "finite.cuh"
#include "thread_total_band.cuh"

template <int ROWS, int COLS, class ColumnOf, class ValueOf, class Term, class Emit>
__device__ __forceinline__ void thread_total_band_gaps(int first, int end, int step, int local,
                                                       Input x, ColumnOf column_of,
                                                       ValueOf value_of, Term term, Emit emit) {
  const auto without_gaps = [&](int row) {
    Value sum = 0;
    for (int block = first; block < end; block += step) {
      const int entry = block + (ROWS * COLS - 1) * (block - local);
      for (int cell = row * COLS; cell < (row + 1) * COLS; ++cell) {
        sum += term(entry + cell * step, block, cell);
      }
    }
    return sum;
  };
  thread_total_band<ROWS, COLS>(
      first, end, step, local, x, column_of, value_of,
      [&](int row, Value sum) { emit(row, is_not_finite(sum) ? without_gaps(row) : sum); });
}
