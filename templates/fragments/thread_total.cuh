// thread_total: one thread adds the products at its stored positions first, first + step, ...
// below end.
#pragma once
#include "prelude.cuh"

template <class Term>
__device__ __forceinline__ Value thread_total(int first, int end, int step, Term term) {
  Value sum = 0;
  for (int entry = first; entry < end; entry += step) sum += term(entry);
  return sum;
}
