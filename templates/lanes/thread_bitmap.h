// thread_bitmap: one thread, or each lane of a gang, walks ITEMS products; bit k of `starts` says
// that product k begins a row.
//
// A row that both begins and ends inside the thread is emitted; the two at its ends are given on
// as head and tail. `open` is the segment that is open where the thread begins. Source: CSR5
// (Liu, Vinter 2015).
#pragma once
#include "head_tail.h"
#include "words.h"

//[ HeadTail part
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

/// The sums before every item are kept, and those that end a row are picked out when all are there.
/// So no branch stands between products where rows begin. A lane's first one is its head.
template <int ITEMS, int G, class Term, class RowOf, class Emit>
INLINE HeadTails<G> thread_bitmap(Run<G> first, int step, const Ints<G>& starts,
                                  const Ints<G>& open, Term term, RowOf row_of, Emit emit) {
  HeadTails<G> part;
  part.first = open.of[0];
  alignas(64) Value before[ITEMS][G];
  const Words<G> flags(starts);
  typename Lanes<G>::Mask flag = typename Lanes<G>::Mask{} + 1;
  Lanes<G> sum{};
  for (int k = 0; k < ITEMS; ++k, flag <<= 1) {
    std::memcpy(before[k], &sum, sizeof before[k]);
    sum = without(flags, flag, sum);
    sum += term(Run<G>{first.first + k * step});
  }
  std::memcpy(part.tail, &sum, sizeof part.tail);
  part.begins = not_zero(starts);
  for (std::uint64_t begins = part.begins; begins != 0; begins &= begins - 1) {
    const int lane = __builtin_ctzll(begins);
    part.head[lane] = before[__builtin_ctz(starts.of[lane])][lane];
    part.last[lane] = open.of[lane] + __builtin_popcount(starts.of[lane]);
  }
  const auto without_lowest = [](unsigned flags) { return int(flags & (flags - 1)); };
  Fields<ITEMS, G>(changed(starts, without_lowest)).for_each_bit([&](int lane, int k) {
    const unsigned earlier = starts.of[lane] & ((1u << k) - 1);
    emit(row_of(open.of[lane] + __builtin_popcount(earlier)), before[k][lane]);
  });
  return part;
}
