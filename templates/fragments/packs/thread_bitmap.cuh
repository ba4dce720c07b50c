// thread_bitmap: one thread walks ITEMS products; bit k of `starts` says that product k begins a
// row.
//
// A row that both begins and ends inside the thread is emitted; the two at its ends are given on
// as head and tail. `open` is the segment that is open where the thread begins. No load moves past
// the stores of emit, so products come first: as many at a time as there are registers for. Source:
// CSR5 (Liu, Vinter 2015).
#pragma once
#include "head_tail.cuh"

template <int ITEMS, class Term, class RowOf, class Emit>
__device__ __forceinline__ HeadTail thread_bitmap(int first, int step, unsigned starts, int open,
                                                  Term term, RowOf row_of, Emit emit) {
  constexpr int together = sizeof(Value) < 128 ? 128 / sizeof(Value) : 1;
  HeadTail part{0, 0, open, open};
  Value sum = 0;
#pragma unroll
  for (int begin = 0; begin < ITEMS; begin += together) {
    Value products[together];
#pragma unroll
    for (int k = begin; k < begin + together && k < ITEMS; ++k) {
      products[k - begin] = term(first + k * step);
    }
#pragma unroll
    for (int k = begin; k < begin + together && k < ITEMS; ++k) {
      if (starts >> k & 1u) {
        if (part.last == part.first) {
          part.head = sum;
        } else {
          emit(row_of(part.last), sum);
        }
        ++part.last;
        sum = 0;
      }
      sum += products[k - begin];
    }
  }
  if (part.last == part.first) {
    part.head = sum;
  } else {
    part.tail = sum;
  }
  return part;
}
