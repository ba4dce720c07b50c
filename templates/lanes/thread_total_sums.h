// thread_total_sums: thread_total into SUMS sums in turn: additions of one round do not wait for
// each other.
#pragma once
#include "thread_total.h"

//[ Value sum = thread_total_sums< | += thread_total_sums< | total = thread_total_sums<
template <int SUMS, class Term>
INLINE Value thread_total_sums(int first, int end, int step, Term term) {
  Value sums[SUMS] = {};
  int entry = first;
  for (; entry < end - (SUMS - 1) * step; entry += SUMS * step) {
    ONE_BY_ONE;
#pragma GCC unroll 8
    for (int k = 0; k < SUMS; ++k) sums[k] += term(entry + k * step);
  }
  for (; entry < end; entry += step) {
    ONE_BY_ONE;
    sums[0] += term(entry);
  }
  for (int k = 1; k < SUMS; ++k) sums[0] += sums[k];
  return sums[0];
}

template <int SUMS, int G, class Term>
INLINE Lanes<G> thread_total_sums(Run<G> first, int end, int step, Term term) {
  Lanes<G> sums[SUMS] = {};
  Run<G> entry{first.first};
  for (; entry.first + (SUMS - 1) * step + G <= end; entry.first += SUMS * step) {
#pragma GCC unroll 8
    for (int k = 0; k < SUMS; ++k) sums[k] += term(Run<G>{entry.first + k * step});
  }
#pragma GCC unroll 8
  for (int k = 1; k < SUMS; ++k) sums[0] += sums[k];
  sums[0] += thread_total(entry, end, step, term);
  return sums[0];
}
