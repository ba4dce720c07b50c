// thread_total_count: one thread adds the products at its COUNT stored positions first,
// first + step, ...
//
// The number is known, so that nothing is asked between two products, and their loads can all be in
// flight together.
#pragma once
#include "prelude.cuh"

template <int COUNT, class Term>
__device__ __forceinline__ Value thread_total_count(int first, int step, Term term) {
  Value sum = 0;
#pragma unroll
  for (int k = 0; k < COUNT; ++k) sum += term(first + k * step);
  return sum;
}
