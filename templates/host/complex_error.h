// complex_error: how far a result of complex numbers is from a plain SpMV in double.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "templates/host/loader.h"
#include "templates/host/values.h"

namespace alphasparse::host {

inline double without_sign(double number) { return number < 0 ? -number : number; }

/// A number in double, and the magnitudes of the real products that its parts are sums of.
struct Parts {
  double re = 0, im = 0, re_size = 0, im_size = 0;

  Parts() = default;
  Parts(double real, double imag = 0)
      : re(real), im(imag), re_size(without_sign(real)), im_size(without_sign(imag)) {}
  template <class Part>
  Parts(Complex<Part> number) : Parts(number.re, number.im) {}

  void add(const Parts& a, const Parts& b) {
    re += a.re * b.re - a.im * b.im;
    im += a.re * b.im + a.im * b.re;
    re_size += a.re_size * b.re_size + a.im_size * b.im_size;
    im_size += a.re_size * b.im_size + a.im_size * b.re_size;
  }
};

/// The largest error of a part of a row of y, as a multiple of the error that rounding may make
/// there. NaN and infinite results count as infinite.
inline double largest_error(const LoadedFormat& format, const std::vector<MatrixValue>& values,
                            const std::vector<Value>& x, const std::vector<Value>& y_before,
                            Value alpha, Value beta, const std::vector<Value>& y) {
  double largest = 0;
  for (std::int64_t row = 0; row < facts.rows; ++row) {
    const std::int32_t first = format.row_first[row], end = format.row_first[row + 1];
    Parts sum, wanted;
    for (std::int32_t nz = first; nz < end; ++nz) sum.add(values[nz], x[format.col[nz]]);
    wanted.add(alpha, sum);
    if (!(beta == 0)) wanted.add(beta, y_before[row]);
    const double rounding =
        (2.0 * (end - first) + 6) * static_cast<double>(std::numeric_limits<ValuePart>::epsilon());
    const auto error = [&](double want, double size, double found) {
      return without_sign(want - found) /
             (rounding * size + static_cast<double>(std::numeric_limits<ValuePart>::min()));
    };
    for (const double one : {error(wanted.re, wanted.re_size, y[row].re),
                             error(wanted.im, wanted.im_size, y[row].im)}) {
      if (!is_finite(one)) return std::numeric_limits<double>::infinity();
      if (one > largest) largest = one;
    }
  }
  return largest;
}

}  // namespace alphasparse::host
