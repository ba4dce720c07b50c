// thread_total_lanes_batch: a lane of several that share a row adds the products at its stored
// positions first, first + step, ... below end, BATCH of them at a time.
//
// All loads of a batch are in flight together. Lanes have about as many products left, so their
// last batch is as small as it can be: a power of two.
#pragma once
#include "prelude.cuh"

/// Adds `left` products, more than LESS, by code for MOST or for more.
template <int LESS, int MOST, int BATCH, class Term>
__device__ __forceinline__ Value last_batch(Value sum, int entry, int left, int step, Term term) {
  if constexpr (MOST < BATCH) {
    if (left > MOST) return last_batch<MOST, 2 * MOST, BATCH>(sum, entry, left, step, term);
  }
  Value products[MOST] = {};
#pragma unroll
  for (int k = 0; k < MOST; ++k) {
    if (k <= LESS || k < left) products[k] = term(entry + k * step);
  }
#pragma unroll
  for (int k = 0; k < MOST; ++k) sum += products[k];
  return sum;
}

template <int BATCH, class Term>
__device__ __forceinline__ Value thread_total_lanes_batch(int first, int end, int step, Term term) {
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
  return left > 0 ? last_batch<0, 1, BATCH>(sum, entry, left, step, term) : sum;
}
