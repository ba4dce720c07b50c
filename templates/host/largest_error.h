// largest_error: how far a result is from a plain SpMV in double.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "templates/host/loader.h"
#include "templates/host/values.h"

namespace alphasparse::host {

inline double without_sign(double number) { return number < 0 ? -number : number; }

/// The largest error of a row of y, as a multiple of the error that rounding may make in that row.
/// NaN and infinite results count as infinite.
inline double largest_error(const LoadedFormat& format, const std::vector<Value>& values,
                            const std::vector<Value>& x, const std::vector<Value>& y_before,
                            double alpha, double beta, const std::vector<Value>& y) {
  double largest = 0;
  for (std::int64_t row = 0; row < facts.rows; ++row) {
    double sum = 0;
    double magnitude = 0;
    const std::int32_t end = format.row_first[row + 1];
    for (std::int32_t nz = format.row_first[row]; nz < end; ++nz) {
      const double term = static_cast<double>(values[nz]) * x[format.col[nz]];
      sum += term;
      magnitude += without_sign(term);
    }
    const double before = beta == 0 ? 0 : beta * y_before[row];
    const double roundings = end - format.row_first[row] + 4;
    const double allowed = roundings * std::numeric_limits<Value>::epsilon() *
                               (without_sign(alpha) * magnitude + without_sign(before)) +
                           std::numeric_limits<Value>::min();
    const double error = without_sign(alpha * sum + before - y[row]) / allowed;
    if (!is_finite(error)) return std::numeric_limits<double>::infinity();
    if (error > largest) largest = error;
  }
  return largest;
}

}  // namespace alphasparse::host
