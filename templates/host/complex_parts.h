// complex_parts: questions about complex values, and their narrower ones, part by part.
#pragma once
#include "templates/host/mirror.h"
#include "templates/host/number_bits.h"

namespace alphasparse::host {

template <class Part>
bool is_finite(Complex<Part> number) {
  return is_finite(number.re) && is_finite(number.im);
}

template <class Part>
bool is_nan(Complex<Part> number) {
  return is_nan(number.re) || is_nan(number.im);
}

template <class Stored, class Part>
Stored narrowed(Complex<Part> value) {
  using Narrow = decltype(Stored::re);
  return {narrowed<Narrow>(value.re), narrowed<Narrow>(value.im)};
}

template <class Part>
Complex<float> rounded(Complex<Part> value) {
  return narrowed<Complex<float>>(value);
}

#ifndef ALPHASPARSE_PLAIN_VALUES
template <class Part>
Complex<Part> image_of(Mirror mirror, Complex<Part> value) {
  return {image_of(mirror, value.re), image_of_imag(mirror, value.im)};
}

#endif
}  // namespace alphasparse::host
