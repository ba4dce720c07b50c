// warp_total: adds one sum of each lane.
#pragma once
#include "prelude.h"

template <int LANES>
INLINE Value warp_total(const Lanes<LANES>& sum) {
  Value added = 0;  // g++ 12 copies a Value by halves, for which the first addition would wait
#pragma GCC unroll 64
  for (int lane = 0; lane < LANES; ++lane) added += sum.part[lane];
  return added;
}
