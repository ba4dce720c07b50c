// warp_total: adds one sum of each lane.
#pragma once
#include "prelude.h"

template <int LANES>
INLINE Value warp_total(const Lanes<LANES>& sum) {
  Value added = sum.part[0];
#pragma GCC unroll 64
  for (int lane = 1; lane < LANES; ++lane) added += sum.part[lane];
  return added;
}
