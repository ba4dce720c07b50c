// thread_total_batch: one thread adds the products at its stored positions first, first + step, ...
// below end, BATCH of them at a time. The last batch may have fewer.
#pragma once
#include "add_batch.cuh"

template <int BATCH, class Term>
__device__ __forceinline__ Value thread_total_batch(int first, int end, int step, Term term) {
  Value sum = 0;
  int left = (end - first + step - 1) / step;
#pragma unroll 1
  for (; left >= BATCH; left -= BATCH, first += BATCH * step)
    sum = add_batch<BATCH>(sum, first, BATCH, step, term);
  return left > 0 ? add_batch<BATCH>(sum, first, left, step, term) : sum;
}
