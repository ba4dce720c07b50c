// thread_total_band_wide_gaps: thread_total_band_wide where blocks have cells that are none of
// their row's.
//
// Their values are 0, which an Inf or NaN of x still makes NaN. A sum that is not finite is added
// up again by `term`, from a stored position, its block and its cell there to the product, or to 0
// where the cell is a gap.
#pragma once
#include "finite.cuh"
#include "thread_total_band_wide.cuh"

template <int ROWS, int COLS, int VECTOR, class ColumnOf, class ValuesOf, class Term, class Emit>
__device__ __forceinline__ void thread_total_band_wide_gaps(int first, int end, int step, int local,
                                                            Input x, ColumnOf column_of,
                                                            ValuesOf values_of, Term term,
                                                            Emit emit) {
  const auto without_gaps = [&](int row) {
    Value sum = 0;
    for (int block = first; block < end; block += step) {
      const int first_vector = block + (ROWS * COLS / VECTOR - 1) * (block - local);
      for (int cell = row * COLS; cell < (row + 1) * COLS; ++cell) {
        const int entry = VECTOR * (first_vector + cell / VECTOR * step) + cell % VECTOR;
        sum += term(entry, block, cell);
      }
    }
    return sum;
  };
  thread_total_band_wide<ROWS, COLS, VECTOR>(
      first, end, step, local, x, column_of, values_of,
      [&](int row, Value sum) { emit(row, is_not_finite(sum) ? without_gaps(row) : sum); });
}
