#pragma once
#include "macros.h"

/// One Value of each lane of a gang. A gang of G lanes does the work of a GPU's warp: one core
/// works on all of them at once. Neighbours in memory are a Run; any other integer of each lane is
/// an Ints. A number that is the same for all lanes is a plain int or Value. There are `count`
/// registers of `width` lanes; a Mask has an Integer a lane. Loops over parts are unrolled in full
/// (#pragma GCC unroll), so that none lies in memory.
template <int G>
struct Lanes {
  static constexpr int most = ALPHASPARSE_VECTOR_BYTES / sizeof(Value);
  static constexpr int width = G < most ? G : most, count = G / width;
  using Integer = std::conditional_t<is_double, std::int64_t, std::int32_t>;
  typedef Value Vector
      __attribute__((vector_size(width * sizeof(Value)), aligned(sizeof(Value)), may_alias));
  typedef Integer Mask __attribute__((vector_size(width * sizeof(Value))));
  Vector part[count];

  INLINE Value operator[](int lane) const { return part[lane / width][lane % width]; }
};

template <int G>
INLINE Lanes<G>& operator+=(Lanes<G>& a, const Lanes<G>& b) {
#pragma GCC unroll 64
  for (int p = 0; p < Lanes<G>::count; ++p) a.part[p] += b.part[p];
  return a;
}

template <int G>
INLINE Lanes<G> operator*(const Lanes<G>& a, const Lanes<G>& b) {
  Lanes<G> product;
#pragma GCC unroll 64
  for (int p = 0; p < Lanes<G>::count; ++p) product.part[p] = a.part[p] * b.part[p];
  return product;
}

template <int G>
INLINE Lanes<G> scaled(const Lanes<G>& lanes, Value factor) {
  Lanes<G> product;
#pragma GCC unroll 64
  for (int p = 0; p < Lanes<G>::count; ++p) product.part[p] = lanes.part[p] * factor;
  return product;
}
