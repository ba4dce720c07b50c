// thread_total_once: one thread takes the product at its stored position first, where that is below
// end. There are no further ones.
#pragma once
#include "prelude.cuh"

template <class Term>
__device__ __forceinline__ Value thread_total_once(int first, int end, Term term) {
  return first < end ? term(first) : Value(0);
}
