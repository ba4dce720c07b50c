// thread_total_ragged: one thread adds its products in a tile that is stored by jagged diagonals.
//
// Diagonal k begins at entry_of(k) and holds the k-th product of every thread that has one; those
// threads come first, so a thread stops at the first diagonal that is too short for it. Source: JDS
// (Saad 1989).
#pragma once
#include "prelude.cuh"

template <class EntryOf, class Term>
__device__ __forceinline__ Value thread_total_ragged(int first_diagonal, int end_diagonal,
                                                     int local, EntryOf entry_of, Term term) {
  Value sum = 0;
  int next = entry_of(first_diagonal);
  for (int diagonal = first_diagonal; diagonal < end_diagonal; ++diagonal) {
    const int entry = next + local;
    next = entry_of(diagonal + 1);
    if (entry >= next) break;
    sum += term(entry);
  }
  return sum;
}
