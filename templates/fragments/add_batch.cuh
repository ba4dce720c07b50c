// add_batch: adds the first `count` of BATCH products; all their loads are in flight together.
#pragma once
#include "prelude.cuh"

template <int BATCH, class Term>
__device__ __forceinline__ Value add_batch(Value sum, int first, int count, int step, Term term) {
  Value products[BATCH];
#pragma unroll
  for (int k = 0; k < BATCH; ++k) products[k] = k < count ? term(first + k * step) : Value(0);
#pragma unroll
  for (int k = 0; k < BATCH; ++k) sum += products[k];
  return sum;
}
