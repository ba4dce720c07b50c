// shared_offset: one thread a row adds the row's slice of a table of sums in shared memory.
//
// Row r of [first_row, end_row) owns table[first_slot(r)] up to table[first_slot(r + 1)]. The table
// is complete, with a barrier behind it; every row is emitted, empty ones included. Source:
// CSR-stream of CSR-Adaptive (Greathouse, Daga 2014).
#pragma once
#include "prelude.cuh"

template <int THREADS, class FirstSlot, class Emit>
__device__ __forceinline__ void shared_offset(const Value* table, int first_row, int end_row,
                                              FirstSlot first_slot, Emit emit) {
  for (int row = first_row + threadIdx.x; row < end_row; row += THREADS) {
    Value sum = 0;
    const int end = first_slot(row + 1);
    for (int slot = first_slot(row); slot < end; ++slot) sum += table[slot];
    emit(row, sum);
  }
}
