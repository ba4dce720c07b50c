// stage_path: the threads of a block bring its piece of a merge path into shared memory.
//
// The piece has the products at stored positions [first_nz, end_nz), and the ends of rows
// [first_row, end_row). Both together are THREADS * ITEMS at most, the places of each array.
// Neighbours load side by side. Batches are whole: a thread behind the last one loads it again, and
// nobody reads its place. So no load waits for a branch or a store. The whole block must arrive;
// behind the barrier all are complete. Threads that walk pieces of an odd length then meet
// different banks. Source: Merrill, Garland 2016.
#pragma once
#include "prelude.cuh"

/// Brings load(first) ... load(end - 1) to the places from `begin` of a batch on.
template <int THREADS, int ITEMS, int BATCH, class Staged, class Load>
__device__ __forceinline__ void stage_batch(Staged* staged, int begin, int first, int end,
                                            Load load) {
  Staged loaded[BATCH];
  const int slot = begin + threadIdx.x;
  const unsigned from = first, last = end - 1;  // places behind the last may be no int
#pragma unroll
  for (int k = 0; k < BATCH; ++k) {
    const unsigned index = from + slot + k * THREADS;
    loaded[k] = load(index < last ? index : last);
  }
#pragma unroll
  for (int k = 0; k < BATCH; ++k) {
    if (ITEMS % BATCH == 0 || slot + k * THREADS < THREADS * ITEMS)
      staged[slot + k * THREADS] = loaded[k];
  }
}

template <int THREADS, int ITEMS, class Term, class RowEnd>
__device__ __forceinline__ void stage_path(Value* products, int first_nz, int end_nz, Term term,
                                           int* row_ends, int first_row, int end_row,
                                           RowEnd row_end) {
  constexpr int batch = ITEMS < 16 ? ITEMS : 16;  // loads in flight for which there are registers
#pragma unroll 1
  for (int begin = 0; begin < end_row - first_row; begin += batch * THREADS)
    stage_batch<THREADS, ITEMS, batch>(row_ends, begin, first_row, end_row, row_end);
#pragma unroll 1
  for (int begin = 0; begin < end_nz - first_nz; begin += batch * THREADS)
    stage_batch<THREADS, ITEMS, batch>(products, begin, first_nz, end_nz, term);
  __syncthreads();
}
