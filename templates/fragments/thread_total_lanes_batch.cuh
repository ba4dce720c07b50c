// thread_total_lanes_batch: a lane of several that share a row adds the products at its stored
// positions first, first + step, ... below end, BATCH of them at a time.
//
// Lanes have about as many products left, so their last batch is as small as it can be: a power of
// two.
#pragma once
#include "add_batch.cuh"

/// Adds `left` products by code for MOST, or for twice as many where there are more.
template <int MOST, int BATCH, class Term>
__device__ __forceinline__ Value last_batch(Value sum, int first, int left, int step, Term term) {
  if constexpr (MOST < BATCH) {
    if (left > MOST) return last_batch<2 * MOST, BATCH>(sum, first, left, step, term);
  }
  return add_batch<MOST>(sum, first, left, step, term);
}

template <int BATCH, class Term>
__device__ __forceinline__ Value thread_total_lanes_batch(int first, int end, int step, Term term) {
  Value sum = 0;
  int left = (end - first + step - 1) / step;
#pragma unroll 1
  for (; left >= BATCH; left -= BATCH, first += BATCH * step)
    sum = add_batch<BATCH>(sum, first, BATCH, step, term);
  return left > 0 ? last_batch<1, BATCH>(sum, first, left, step, term) : sum;
}
