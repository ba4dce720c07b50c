// thread_total_once: the product at a thread's one stored position, or 0 where it has none.
#pragma once
#include "prelude.cuh"

template <class Term>
__device__ __forceinline__ Value thread_total_once(int first, int end, Term term) {
  return first < end ? term(first) : Value(0);
}
