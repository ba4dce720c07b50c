// thread_total: the products at stored positions first, first + step, ... below end, added up by
// one thread, or by each lane of a gang.
#pragma once
#include "sums.h"

//[ Value sum = thread_total( | += thread_total( | total = thread_total(
template <class Term>
INLINE Value thread_total(int first, int end, int step, Term term) {
  Value sum = 0;
  for (int entry = first; entry < end; entry += step) {
    ONE_BY_ONE;
    sum += term(entry);
  }
  return sum;
}

/// The last step may be one that only the lanes below the end take.
template <int G, class Term>
INLINE Lanes<G> thread_total(Run<G> first, int end, int step, Term term) {
  SumsOf<G, decltype(term(first))> sum{};
  Run<G> entry{first.first};
  for (; entry.first + G <= end; entry.first += step) sum += term(entry);
  if (entry.first < end) {
    const Run<G> rest = entry.below(end);
    sum += keep(rest.lanes, term(rest));
  }
  return worked_out(sum);
}
