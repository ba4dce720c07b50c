// chosen: one of a few values by the code of each lane.
#pragma once
#include "prelude.h"

template <int COUNT, class Element, class Codes, int G = Codes::gang>
INLINE Reals<G> chosen(const Element* values, const Codes& codes) {
  Reals<G> lanes;
  for (int lane = 0; lane < G; ++lane) {
    const int code = codes[lane];
    Real value = values[0];
#pragma GCC unroll 8
    for (int k = 1; k < COUNT; ++k) value = code == k ? Real(values[k]) : value;
    lanes.of[lane] = value;
  }
  return lanes;
}
