// thread_total_ragged: a gang adds its products in a tile that is stored by jagged diagonals.
//
// Diagonal k begins at entry_of(k) and holds the k-th product of every thread that has one; those
// threads come first, so a gang stops at the first diagonal that is too short for all of it.
// Source: JDS (Saad 1989).
#pragma once
#include "prelude.h"

/// How many products the threads before `thread` have.
template <class EntryOf>
INLINE std::int64_t entries_before(int thread, int diagonals, EntryOf entry_of) {
  std::int64_t entries = 0;
  for (int diagonal = 0; diagonal < diagonals; ++diagonal)
    entries += min(thread, entry_of(diagonal + 1) - entry_of(diagonal));
  return entries;
}

template <int G, class EntryOf, class Term>
INLINE Lanes<G> thread_total_ragged(int first_diagonal, int end_diagonal, Run<G> local,
                                    EntryOf entry_of, Term term) {
  Lanes<G> sum{};
  int next = entry_of(first_diagonal);
  for (int diagonal = first_diagonal; diagonal < end_diagonal; ++diagonal) {
    const Run<G> entry = next + Run<G>{local.first};
    next = entry_of(diagonal + 1);
    if (entry.first >= next) break;
    if (entry.first + G <= next) {
      sum += term(entry);
    } else {
      const Run<G> rest = entry.below(next);
      sum += keep(rest.lanes, term(rest));
    }
  }
  return sum;
}
