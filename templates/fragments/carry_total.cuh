// carry_total: adds the parts of one row that tiles have left, in their order.
//
// The first part may be the last row of its tile; the others are all first rows. LANES neighbouring
// lanes take part, lane by lane in turn.
#pragma once
#include "prelude.cuh"

template <int LANES>
__device__ __forceinline__ Value carry_total(const Value* carry, int first, int end, int lane) {
  Value sum = lane == 0 ? carry[first] : Value(0);
  const int next = first / 2 * 2 + 2;
  for (int slot = next + 2 * lane; slot < end; slot += 2 * LANES) sum += carry[slot];
  return sum;
}
