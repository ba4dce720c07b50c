// thread_merge: one thread walks its piece of the merge path, entries [entry, end) of the rows from
// first_row to last_row, of which all but the last end inside it.
//
// A row that both begins and ends inside the thread is emitted; the first and the last, which
// neighbours may share, are given on as head and tail. Source: Merrill, Garland 2016.
#pragma once
#include "head_tail.h"

template <class RowEnd, class Term, class RowOf, class Emit>
INLINE HeadTail thread_merge(int entry, int end, int first_row, int last_row, RowEnd row_end,
                             Term term, RowOf row_of, Emit emit) {
  HeadTail part{0, 0, first_row, last_row};
  Value sum = 0;
  for (int row = first_row; row < last_row; ++row) {
    for (const int stop = row_end(row); entry < stop; ++entry) {
      ONE_BY_ONE;
      sum += term(entry);
    }
    if (row == first_row) {
      part.head = sum;
    } else {
      emit(row_of(row), sum);
    }
    sum = 0;
  }
  for (; entry < end; ++entry) {
    ONE_BY_ONE;
    sum += term(entry);
  }
  (first_row == last_row ? part.head : part.tail) = sum;
  return part;
}
