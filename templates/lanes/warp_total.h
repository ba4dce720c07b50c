// warp_total: adds one sum of each lane.
#pragma once
#include "prelude.h"

template <int LANES>
INLINE Value warp_total(const Lanes<LANES>& sum) {
  using R = Registers<LANES>;
  typename R::Vector added = sum.part[0];
#pragma GCC unroll 64
  for (int p = 1; p < R::count; ++p) added += sum.part[p];
  Value lanes[R::width];
  std::memcpy(lanes, &added, sizeof lanes);
#pragma GCC unroll 16
  for (int step = R::width / 2; step > 0; step /= 2) {
    for (int l = 0; l < step; ++l) lanes[l] += lanes[l + step];
  }
  return lanes[0];
}
