// thread_total_sums: one thread adds the products at its stored positions first, first + step, ...
// below end, into SUMS sums in turn.
//
// Neither the additions nor the loads of one round wait for each other.
#pragma once
#include "prelude.cuh"

template <int SUMS, class Term>
__device__ __forceinline__ Value thread_total_sums(int first, int end, int step, Term term) {
  Value sums[SUMS] = {};
  int entry = first;
  for (; entry < end - (SUMS - 1) * step; entry += SUMS * step) {
#pragma unroll
    for (int k = 0; k < SUMS; ++k) sums[k] += term(entry + k * step);
  }
  for (; entry < end; entry += step) sums[0] += term(entry);
#pragma unroll
  for (int k = 1; k < SUMS; ++k) sums[0] += sums[k];
  return sums[0];
}
