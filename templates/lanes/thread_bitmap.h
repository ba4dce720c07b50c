// thread_bitmap: one thread, or each lane of a gang, walks ITEMS products; bit k of `starts` says
// that product k begins a row.
//
// A row that both begins and ends inside the thread is emitted; the two at its ends are given on
// as head and tail. `open` is the segment that is open where the thread begins. Source: CSR5
// (Liu, Vinter 2015).
#pragma once
#include "head_tail.h"
#include "words.h"

template <int ITEMS, class Term, class RowOf, class Emit>
INLINE HeadTail thread_bitmap(int first, int step, unsigned starts, int open, Term term,
                              RowOf row_of, Emit emit) {
  HeadTail part{0, 0, open, open};
  Value sum = 0;
  for (int k = 0; k < ITEMS; ++k) {
    if (starts >> k & 1u) {
      if (part.last == part.first) {
        part.head = sum;
      } else {
        emit(row_of(part.last), sum);
      }
      ++part.last;
      sum = 0;
    }
    sum += term(first + k * step);
  }
  (part.last == part.first ? part.head : part.tail) = sum;
  return part;
}

/// Lanes in which no row begins go on adding in their registers; the others take turns.
template <int ITEMS, int G, class Term, class RowOf, class Emit>
INLINE HeadTails<G> thread_bitmap(Run<G> first, int step, const Ints<G>& starts,
                                  const Ints<G>& open, Term term, RowOf row_of, Emit emit) {
  HeadTails<G> part;
  part.begins = 0;
  part.first = open.of[0];
  std::memcpy(part.last, open.of, sizeof part.last);
  const BitPlanes<ITEMS, G> planes(starts);
  Lanes<G> sum{};
  for (int k = 0; k < ITEMS; ++k) {
    std::uint64_t begins = planes.at(k);
    if (begins != 0) {
      std::memcpy(part.tail, &sum, sizeof part.tail);
      sum = clear(begins, sum);
      for (; begins != 0; begins &= begins - 1) {
        const int lane = __builtin_ctzll(begins);
        if (part.begins >> lane & 1) {
          emit(row_of(part.last[lane]), part.tail[lane]);
        } else {
          part.head[lane] = part.tail[lane];
          part.begins |= std::uint64_t{1} << lane;
        }
        ++part.last[lane];
      }
    }
    sum += term(Run<G>{first.first + k * step});
  }
  std::memcpy(part.tail, &sum, sizeof part.tail);
  return part;
}
