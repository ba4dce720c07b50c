// thread_total: the products at stored positions first, first + step, ... below end, added up by
// one thread, or by each lane of a gang.
#pragma once
#include "prelude.h"

//[ Value sum = thread_total( | += thread_total( | total = thread_total(
template <class Term>
INLINE Value thread_total(int first, int end, int step, Term term) {
  Value sum = 0;
  for (int entry = first; entry < end; entry += step) {
    ONE_BY_ONE;
    sum += term(entry);
  }
  return sum;
}

/// Sums of products that are not worked out yet: of like parts, whose difference is the real part,
/// and of unlike ones, whose sum is the imaginary part.
template <int G>
struct Sums {
  Lanes<G> like, unlike;

  INLINE void operator+=(const Product<G>& product) {
#pragma GCC unroll 64
    for (int p = 0; p < Lanes<G>::count; ++p) {
      const auto& a = product.a.part[p];
      like.part[p] += a * product.b.part[p];
      unlike.part[p] += a * swapped(product.b.part[p], typename Lanes<G>::Places());
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
    lanes.part[p] = worked_out(sums.like.part[p], sums.unlike.part[p], typename Lanes<G>::Places());
  return lanes;
}

/// Products of real numbers are there already.
template <int G>
INLINE Lanes<G> worked_out(const Lanes<G>& sums) {
  return sums;
}

/// The last step may be one that only the lanes below the end take.
template <int G, class Term>
INLINE Lanes<G> thread_total(Run<G> first, int end, int step, Term term) {
  constexpr bool is_there = std::is_same_v<decltype(term(first)), Lanes<G>>;
  std::conditional_t<is_there, Lanes<G>, Sums<G>> sum{};
  Run<G> entry{first.first};
  for (; entry.first + G <= end; entry.first += step) sum += term(entry);
  if (entry.first < end) {
    const Run<G> rest = entry.below(end);
    sum += keep(rest.lanes, term(rest));
  }
  return worked_out(sum);
}
