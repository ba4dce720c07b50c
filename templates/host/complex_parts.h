// complex_parts: questions about complex values of any struct, and their narrower ones, by parts.
#pragma once
#include "templates/host/mirror.h"
#include "templates/host/number_bits.h"

namespace alphasparse::host {

template <template <class> class Number, class Part>
bool is_finite(Number<Part> number) {
  return is_finite(number.re) && is_finite(number.im);
}

template <template <class> class Number, class Part>
bool is_nan(Number<Part> number) {
  return is_nan(number.re) || is_nan(number.im);
}

template <class Stored, template <class> class Number, class Part>
Stored narrowed(Number<Part> value) {
  using Narrow = decltype(Stored::re);
  return {narrowed<Narrow>(value.re), narrowed<Narrow>(value.im)};
}

template <template <class> class Number, class Part>
Number<float> rounded(Number<Part> value) {
  return narrowed<Number<float>>(value);
}

#ifndef ALPHASPARSE_PLAIN_VALUES
/// Zeros are equal whatever their signs: the conjugate of a real number has either.
template <template <class> class Number, class Part>
bool have_equal_parts(Number<Part> one, Number<Part> other) {
  return one.re == other.re && one.im == other.im;
}

template <class Real>
bool have_equal_parts(Real, Real) {
  return false;  // real ones are equal by their bits
}

template <template <class> class Number, class Part>
Number<Part> image_of(Mirror mirror, Number<Part> value) {
  return {image_of(mirror, value.re), image_of_imag(mirror, value.im)};
}

#endif
}  // namespace alphasparse::host
