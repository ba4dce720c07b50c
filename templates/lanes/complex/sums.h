#pragma once
#include "prelude.h"

/// Sums of products that are not worked out yet. The difference of neighbouring like parts is the
/// real part. The sum of unlike ones is the imaginary part.
template <int G>
struct Sums {
  Lanes<G> like, unlike;

  INLINE void operator+=(const Product<G>& product) {
#pragma GCC unroll 64
    for (int p = 0; p < Lanes<G>::count; ++p) {
      const auto& a = product.a.part[p];
      like.part[p] += a * product.b.part[p];
      unlike.part[p] += a * swapped(product.b.part[p], typename Lanes<G>::Slots());
    }
  }
};

template <class Vector, int... K>
INLINE Vector worked_out(Vector like, Vector unlike, std::integer_sequence<int, K...>) {
  constexpr int n = sizeof...(K);
  const Vector a = __builtin_shufflevector(like, unlike, (K % 2 ? n + K : K)...),
               b = __builtin_shufflevector(like, unlike, (K % 2 ? n + K - 1 : K + 1)...);
  return __builtin_shufflevector(a - b, a + b, (K % 2 ? n + K : K)...);
}

template <int G>
INLINE Lanes<G> worked_out(const Sums<G>& sums) {
  Lanes<G> lanes;
#pragma GCC unroll 64
  for (int p = 0; p < Lanes<G>::count; ++p)
    lanes.part[p] = worked_out(sums.like.part[p], sums.unlike.part[p], typename Lanes<G>::Slots());
  return lanes;
}

/// Products of real numbers are there already.
template <int G>
INLINE Lanes<G> worked_out(const Lanes<G>& sums) {
  return sums;
}

/// Sums of terms of this type.
template <int G, class Term>
using SumsOf = std::conditional_t<std::is_same_v<Term, Lanes<G>>, Lanes<G>, Sums<G>>;
