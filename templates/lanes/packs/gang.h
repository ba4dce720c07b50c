// gang: a Value has the neighbours in a row of X or Y that one pass over A takes. A gang has one
// Value a lane.
#pragma once
#include "macros.h"

/// In registers: loops over parts are unrolled in full (#pragma GCC unroll).
struct __attribute__((may_alias)) Value {
  static constexpr int most = ALPHASPARSE_VECTOR_BYTES / sizeof(Real);
  static constexpr int width = pass_columns < most ? pass_columns : most;
  static constexpr int count = pass_columns / width;
  typedef Real Vector
      __attribute__((vector_size(width * sizeof(Real)), aligned(sizeof(Real)), may_alias));
  Vector part[count];

  Value() = default;
  /// The same number in all columns.
  INLINE Value(Real all) {
#pragma GCC unroll 64
    for (int p = 0; p < count; ++p) part[p] = Vector{} + all;
  }
  INLINE Value& operator+=(const Value& other) {
#pragma GCC unroll 64
    for (int p = 0; p < count; ++p) part[p] += other.part[p];
    return *this;
  }
};

INLINE Value operator*(Real factor, const Value& value) {
  Value product;
#pragma GCC unroll 64
  for (int p = 0; p < Value::count; ++p) product.part[p] = factor * value.part[p];
  return product;
}

INLINE Value operator+(const Value& a, const Value& b) {
  Value sum = a;
  sum += b;
  return sum;
}

/// One Value of each lane of a gang.
template <int G>
struct Lanes {
  static constexpr int width = 1, count = G;
  using Integer = std::conditional_t<is_double, std::int64_t, std::int32_t>;
  using Vector = Value;
  using Mask = Integer;
  Value part[G];

  INLINE const Value& operator[](int lane) const { return part[lane]; }
};

/// Numbers that lie side by side in memory: one of each lane, not loaded yet. They may be narrower.
template <class T, int G>
struct Stored {
  static constexpr int gang = G;
  const T* first;
  int lanes;

  INLINE Real operator[](int lane) const { return first[lane]; }
};

/// One number of each lane.
template <int G>
struct Reals {
  alignas(64) Real of[G];

  INLINE Real operator[](int lane) const { return of[lane]; }
};

template <int G>
INLINE Lanes<G>& operator+=(Lanes<G>& a, const Lanes<G>& b) {
#pragma GCC unroll 64
  for (int lane = 0; lane < G; ++lane) a.part[lane] += b.part[lane];
  return a;
}

template <int G>
INLINE Lanes<G> scaled(const Lanes<G>& lanes, Real factor) {
  Lanes<G> product;
#pragma GCC unroll 64
  for (int lane = 0; lane < G; ++lane) product.part[lane] = factor * lanes.part[lane];
  return product;
}
