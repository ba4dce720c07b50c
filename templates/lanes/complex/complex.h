#pragma once
#include "macros.h"

/// A complex number, with the bytes of C's and of C++'s own. A product is four products of its
/// parts, for any contents.
template <class Number>
struct Complex {
  Number re, im;

  Complex() = default;
  INLINE constexpr Complex(Number real, Number imaginary = 0) : re(real), im(imaginary) {}
  template <class Other, std::enable_if_t<(sizeof(Other) < sizeof(Number)), int> = 0>
  INLINE constexpr Complex(const Complex<Other>& narrow) : re(narrow.re), im(narrow.im) {}
  template <class Other, std::enable_if_t<(sizeof(Other) > sizeof(Number)), int> = 0>
  INLINE constexpr explicit Complex(const Complex<Other>& wide)
      : re(Number(wide.re)), im(Number(wide.im)) {}

  INLINE Complex& operator+=(Complex b) {
    re += b.re;
    im += b.im;
    return *this;
  }
  friend INLINE Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  friend INLINE Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
  friend INLINE Complex operator-(Complex a) { return {-a.re, -a.im}; }
  friend INLINE Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend INLINE Complex operator*(Number a, Complex b) { return {a * b.re, a * b.im}; }
  friend INLINE Complex operator*(Complex a, Number b) { return b * a; }
  friend INLINE Complex conjugate(Complex a) { return {a.re, -a.im}; }
  friend INLINE bool operator==(Complex a, Complex b) { return a.re == b.re && a.im == b.im; }
};

using Value = Complex<Real>;
