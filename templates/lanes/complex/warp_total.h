// warp_total: adds one sum of each lane.
#pragma once
#include "prelude.h"

/// The lower half of a register plus the upper one.
template <class Vector, int... K>
INLINE auto halves_of(Vector all, std::integer_sequence<int, K...>) {
  return __builtin_shufflevector(all, all, K...) +
         __builtin_shufflevector(all, all, K + int(sizeof...(K))...);
}

/// The lanes of one register, its halves added until one is left.
template <int WIDTH, class Vector>
INLINE Value sum_of(Vector all) {
  if constexpr (WIDTH == 1) {
    return {all[0], all[1]};
  } else {
    return sum_of<WIDTH / 2>(halves_of(all, std::make_integer_sequence<int, WIDTH>()));
  }
}

template <int LANES>
INLINE Value warp_total(const Lanes<LANES>& sum) {
  using R = Lanes<LANES>;
  typename R::Vector added = sum.part[0];
#pragma GCC unroll 64
  for (int p = 1; p < R::count; ++p) added += sum.part[p];
  return sum_of<R::width>(added);
}
