// complex: a complex number as C, C++, NumPy and CUDA have it in memory.
#pragma once

namespace alphasparse {

/// Products of it are written out where they are needed: those of std::complex look for Inf (C99,
/// Annex G), which no kernel does.
template <class Part>
struct Complex {
  Part re = 0, im = 0;

  constexpr Complex(Part real = 0, Part imaginary = 0) : re(real), im(imaginary) {}
  template <class Other>
  explicit constexpr Complex(const Complex<Other>& other)
      : re(static_cast<Part>(other.re)), im(static_cast<Part>(other.im)) {}
  bool operator==(const Complex&) const = default;
};

template <class Type>
inline constexpr bool is_complex_number = false;
template <class Part>
inline constexpr bool is_complex_number<Complex<Part>> = true;

using Number = Complex<double>;

inline constexpr Number operator+(const Number& a, const Number& b) {
  return {a.re + b.re, a.im + b.im};
}
inline constexpr Number operator*(const Number& a, const Number& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

}  // namespace alphasparse
