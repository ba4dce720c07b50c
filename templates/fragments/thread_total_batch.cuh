// thread_total_batch: one thread adds the products at its stored positions first, first + step, ...
// below end, BATCH of them at a time: all loads of a batch are in flight together, also those of
// the last batch, which may have fewer.
#pragma once
#include "prelude.cuh"

template <int BATCH, class Term>
__device__ __forceinline__ Value thread_total_batch(int first, int end, int step, Term term) {
  Value sum = 0;
  int left = (end - first + step - 1) / step;
#pragma unroll 1
  for (; left >= BATCH; left -= BATCH, first += BATCH * step) {
    Value products[BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; ++k) products[k] = term(first + k * step);
#pragma unroll
    for (int k = 0; k < BATCH; ++k) sum += products[k];
  }
  if (left <= 0) return sum;
  Value products[BATCH] = {};
#pragma unroll
  for (int k = 0; k < BATCH; ++k) {
    if (k == 0 || k < left) products[k] = term(first + k * step);
  }
#pragma unroll
  for (int k = 0; k < BATCH; ++k) sum += products[k];
  return sum;
}
