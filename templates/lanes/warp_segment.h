// warp_segment: adds the heads of later lanes to the row that is open at the end of each lane.
//
// Rows that end inside the gang are emitted; its first and its last row, which neighbours may
// share, leave through `edge`.
#pragma once
#include "head_tail.h"

/// The elements of a register STEP places further, and 0 in the first ones.
template <int STEP, class Vector, int... K>
INLINE Vector later_by(Vector all, std::integer_sequence<int, K...>) {
  constexpr int width = sizeof...(K);
  return __builtin_shufflevector(Vector{}, all, (K < STEP ? K : width + K - STEP)...);
}

/// The sums of lanes of one register up to each of them, from the last one with a bit that is set.
template <int STEP, int WIDTH>
INLINE Lanes<WIDTH> sums_since(std::uint64_t begins, Lanes<WIDTH> sums) {
  if constexpr (STEP < WIDTH) {
    constexpr auto slots = std::make_integer_sequence<int, WIDTH>();
    const Lanes<WIDTH> earlier = {later_by<STEP>(sums.part[0], slots)};
    sums += clear(begins, earlier);
    return sums_since<2 * STEP>(begins | begins << STEP, sums);
  } else {
    return sums;
  }
}

template <int G, class RowOf, class Emit, class Edge>
INLINE void warp_segment(const HeadTails<G>& part, RowOf row_of, Emit emit, Edge edge) {
  constexpr int width = Lanes<G>::width, front = 64 / sizeof(Value);
  alignas(64) Value sums[front + G];
  Value* const open = sums + front;  // the sum that is open where a lane ends
  open[-1] = 0;
  Value before = 0;
#pragma GCC unroll 64
  for (int p = 0; p < Lanes<G>::count; ++p) {
    Lanes<width> tails;
    std::memcpy(&tails, part.tail + p * width, sizeof tails);
    const std::uint64_t begins = part.begins >> p * width;
    tails = sums_since<1>(begins, tails);
    // No row begins below the lowest bit: the open sum goes on there.
    Lanes<width> more = {typename Lanes<width>::Vector{} + before};
    tails += clear(begins | -begins, more);
    std::memcpy(open + p * width, &tails, sizeof tails);
    before = tails[width - 1];
  }
  if (part.begins == 0) return edge(row_of(part.first), before);
  std::uint64_t begins = part.begins;
  int lane = __builtin_ctzll(begins);
  edge(row_of(part.first), open[lane - 1] + part.head[lane]);
  for (begins &= begins - 1; begins != 0; begins &= begins - 1) {
    const int row = row_of(part.last[lane]);
    lane = __builtin_ctzll(begins);
    emit(row, open[lane - 1] + part.head[lane]);
  }
  edge(row_of(part.last[lane]), before);
}
