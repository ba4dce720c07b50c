// thread_bitmap_wide: thread_bitmap for products of VECTOR neighbouring entries, which are loaded
// at once.
//
// Term k is one of the neighbours that begin at first + k / VECTOR * step. thread_bitmap asks for
// the terms in their order, so each run is loaded at its first term. ITEMS is a multiple of VECTOR.
#pragma once
#include "thread_bitmap.cuh"

template <int ITEMS, int VECTOR, class Terms, class RowOf, class Emit>
__device__ __forceinline__ HeadTail thread_bitmap_wide(int first, int step, unsigned starts,
                                                       int open, Terms terms, RowOf row_of,
                                                       Emit emit) {
  Value products[VECTOR];
  const auto term = [&](int k) {
    if (k % VECTOR == 0) terms(first + k / VECTOR * step, products);
    return products[k % VECTOR];
  };
  return thread_bitmap<ITEMS>(0, 1, starts, open, term, row_of, emit);
}
