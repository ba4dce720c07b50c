// chosen: one of a few values by the code of each lane, chosen by comparing.
#pragma once
#include "prelude.h"

template <int COUNT, class Element, class T, int G>
INLINE Lanes<G> chosen(const Element* values, Near<T, G> codes) {
  using R = Lanes<G>;
  Lanes<G> lanes;
#pragma GCC unroll 64
  for (int p = 0; p < R::count; ++p) {
    alignas(64) typename R::Integer of[R::width];
    for (int l = 0; l < R::width; ++l) of[l] = codes.first[p * R::width + l];
    typename R::Mask code;
    std::memcpy(&code, of, sizeof code);
    lanes.part[p] = typename R::Vector{} + Value(values[0]);
#pragma GCC unroll 8
    for (int k = 1; k < COUNT; ++k) {
      lanes.part[p] = code == k ? typename R::Vector{} + Value(values[k]) : lanes.part[p];
    }
  }
  return lanes;
}

/// Codes that are computed.
template <int COUNT, class Element, class Codes, int G = Codes::gang>
INLINE Lanes<G> chosen(const Element* values, const Codes& codes) {
  alignas(64) int of[G];
  for (int lane = 0; lane < G; ++lane) of[lane] = codes[lane];
  return chosen<COUNT>(values, Near<int, G>{of, codes.lanes});
}
