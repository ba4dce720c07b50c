#pragma once
#include "complex.h"

/// One Value of each lane of a gang: two neighbouring reals of a register. A gang of G lanes does
/// the work of a GPU's warp: one core works on all of them at once. Neighbours in memory are a Run;
/// any other integer of each lane is an Ints. A number that is the same for all lanes is a plain
/// int or Value. There are `count` registers of `width` lanes; a Mask has an Integer a real. Loops
/// over parts are unrolled in full (#pragma GCC unroll), so that none lies in memory.
template <int G>
struct Lanes {
  static constexpr int most = ALPHASPARSE_VECTOR_BYTES / sizeof(Value);
  static constexpr int width = G < most ? G : most, count = G / width;
  using Integer = std::conditional_t<is_double, std::int64_t, std::int32_t>;
  typedef Real Vector
      __attribute__((vector_size(width * sizeof(Value)), aligned(sizeof(Real)), may_alias));
  typedef Integer Mask __attribute__((vector_size(width * sizeof(Value))));
  /// The slots of a register's reals, and those of registers.
  using Slots = std::make_integer_sequence<int, 2 * width>;
  using Registers = std::make_integer_sequence<int, count>;
  Vector part[count];

  INLINE Value operator[](int lane) const {
    const int first = lane % width * 2;
    return {part[lane / width][first], part[lane / width][first + 1]};
  }
};

/// A real number of each lane, kept twice: by its factor's real part and by its imaginary one.
template <int G>
struct Reals {
  typename Lanes<G>::Vector part[Lanes<G>::count];

  INLINE Real operator[](int lane) const {
    return part[lane / Lanes<G>::width][2 * (lane % Lanes<G>::width)];
  }
};

/// The lanes of numbers of this type.
template <int G, class Number>
using LanesOf = std::conditional_t<std::is_arithmetic_v<std::decay_t<Number>>, Reals<G>, Lanes<G>>;

/// The type of the elements of an Input or of a pointer.
template <class X>
using ElementOf = decltype(std::declval<X>()[0]);

template <int G>
INLINE Lanes<G>& operator+=(Lanes<G>& a, const Lanes<G>& b) {
#pragma GCC unroll 64
  for (int p = 0; p < Lanes<G>::count; ++p) a.part[p] += b.part[p];
  return a;
}

/// Real and imaginary parts in each other's places.
template <class Vector, int... K>
INLINE Vector swapped(Vector a, std::integer_sequence<int, K...>) {
  return __builtin_shufflevector(a, a, (K ^ 1)...);
}

/// sum + a * b.
template <int N, class Vector, int... K>
INLINE Vector added_product(Vector sum, Vector a, Vector b,
                            std::integer_sequence<int, K...> slots) {
  using Mask = typename Lanes<N>::Mask;
  using Integer = typename Lanes<N>::Integer;
  const Mask signs = {
      (K % 2 ? Integer(0) : Integer(std::uint64_t{1} << (8 * sizeof(Integer) - 1)))...};
  const Vector crossed = Vector(Mask(swapped(b, slots)) ^ signs);
  sum += __builtin_shufflevector(a, a, (K & ~1)...) * b;
  sum += __builtin_shufflevector(a, a, (K | 1)...) * crossed;
  return sum;
}

/// A product of each lane that is not worked out yet.
template <int G>
struct Product {
  Lanes<G> a, b;

  INLINE operator Lanes<G>() const {
    Lanes<G> product{};
    return product += *this;
  }
};

template <int G>
INLINE Product<G> operator*(const Lanes<G>& a, const Lanes<G>& b) {
  return {a, b};
}

template <int G>
INLINE Lanes<G>& operator+=(Lanes<G>& sum, const Product<G>& product) {
  using R = Lanes<G>;
#pragma GCC unroll 64
  for (int p = 0; p < R::count; ++p)
    sum.part[p] = added_product<R::width>(sum.part[p], product.a.part[p], product.b.part[p],
                                          typename R::Slots());
  return sum;
}

template <int G>
INLINE Lanes<G> operator*(const Reals<G>& a, const Lanes<G>& b) {
  Lanes<G> product;
#pragma GCC unroll 64
  for (int p = 0; p < Lanes<G>::count; ++p) product.part[p] = a.part[p] * b.part[p];
  return product;
}

/// The same number in all lanes of a register.
template <class Vector, int... K>
INLINE Vector all_of(Value number, std::integer_sequence<int, K...>) {
  return Vector{(K % 2 ? number.im : number.re)...};
}

template <int G>
INLINE Lanes<G> scaled(const Lanes<G>& lanes, Value factor) {
  using R = Lanes<G>;
  Lanes<G> all;
#pragma GCC unroll 64
  for (int p = 0; p < R::count; ++p)
    all.part[p] = all_of<typename R::Vector>(factor, typename R::Slots());
  return all * lanes;
}
