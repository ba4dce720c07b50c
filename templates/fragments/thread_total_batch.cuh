// thread_total_batch: one thread adds the products at its stored positions first, first + step, ...
// below end, BATCH of them at a time.
//
// No load of a batch waits for an addition: all its values and columns are asked for before the
// first element of x is needed. The last batch has as many as are left, so that all loads of a row
// that is shorter than a batch are in flight together. Terms are called once each and in order.
#pragma once
#include "prelude.cuh"

template <int BATCH, class Term>
__device__ __forceinline__ Value thread_total_batch(int first, int end, int step, Term term) {
  Value sum = 0;
  int entry = first;
  int left = (end - first + step - 1) / step;
#pragma unroll 1
  for (; left >= BATCH; left -= BATCH, entry += BATCH * step) {
    Value products[BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; ++k) products[k] = term(entry + k * step);
#pragma unroll
    for (int k = 0; k < BATCH; ++k) sum += products[k];
  }
  if (left <= 0) return sum;
  Value products[BATCH] = {};
#pragma unroll
  for (int k = 0; k < BATCH; ++k) {
    if (k < left) products[k] = term(entry + k * step);
  }
#pragma unroll
  for (int k = 0; k < BATCH; ++k) sum += products[k];
  return sum;
}
