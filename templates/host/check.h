// check: compares a kernel's results with those of a plain SpMV on the host. Each target has a
// product() of its own ahead of it.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

#include "templates/host/loader.h"
#include "templates/host/values.h"
#include "templates/host/vectors.h"

namespace alphasparse::host {

#ifndef ALPHASPARSE_PLAIN_VALUES
/// Rounds values to those that the format can hold: floats where its arrays are floats, and equal
/// ones where they share a place, as all of a code and mirror images do.
inline void fit_values(const LoadedFormat& format, std::vector<MatrixValue>& values) {
  for (std::size_t i = 0; i < format.arrays.size(); ++i) {
    const LoadedArray& array = format.arrays[i];
    for (const std::int32_t nz : array.source) {
      if (nz >= 0 && holds_floats(facts, i)) values[nz] = rounded(values[nz]);
    }
    for (std::size_t nz = 0; nz < array.code.size(); ++nz) {
      if (array.code[nz] >= 0) values[nz] = values[array.source[array.code[nz]]];
    }
  }
  fill_images(facts.mirror, format.row_first, format.col, values);
}

#endif
template <class Stored>
void take_values(const LoadedArray& array, std::vector<MatrixValue>& values) {
  for (std::size_t i = 0; i < array.source.size(); ++i) {
    if (array.source[i] < 0) continue;
    Stored stored;
    std::memcpy(&stored, &array.bytes[i * sizeof(Stored)], sizeof(Stored));
    values[array.source[i]] = stored;
  }
}

/// The values in canonical order, put together from the format's value arrays.
inline std::vector<MatrixValue> canonical_values(const LoadedFormat& format) {
  std::vector<MatrixValue> values(facts.nnz);
  for (std::size_t i = 0; i < format.arrays.size(); ++i) {
#ifndef ALPHASPARSE_PLAIN_VALUES
    if (holds_floats(facts, i)) {
      take_values<decltype(rounded(MatrixValue()))>(format.arrays[i], values);
      continue;
    }
#endif
    take_values<MatrixValue>(format.arrays[i], values);
  }
#ifndef ALPHASPARSE_PLAIN_VALUES
  fit_values(format, values);
#endif
  return values;
}

/// Runs y = alpha * A * x + beta * y and says whether each row is within its bound.
[[gnu::cold]] inline bool check_case(const char* name, const alphasparse_handle* handle,
                                     const LoadedFormat& format,
                                     const std::vector<MatrixValue>& values, Value alpha,
                                     Value beta) {
  const std::vector<Value> x = random_vector(facts.cols, 1);
  std::vector<Value> y_before = random_vector(facts.rows, 2);
  if (beta == 0) y_before.assign(y_before.size(), std::numeric_limits<ValuePart>::quiet_NaN());
  const std::vector<Value> y = product(handle, x, y_before, alpha, beta);
  const double error = largest_error(format, values, x, y_before, alpha, beta, y);
  std::printf("check   %s: %s, largest error %.3g of what rounding allows\n", name,
              error <= 1 ? "right" : "WRONG", error);
  return error <= 1;
}

[[gnu::cold]] inline bool check_all(alphasparse_handle* handle, const LoadedFormat& format) {
  const std::vector<MatrixValue> values = canonical_values(format);
  bool right = check_case("y = A x", handle, format, values, 1, 0);
  right &= check_case("y = 2 A x - y", handle, format, values, 2, -1);
#ifndef ALPHASPARSE_REAL_KERNEL
  right &= check_case("y = (2 + i) A x - (1 - 2 i) y", handle, format, values, Value(2, 1),
                      Value(-1, 2));
#endif
#ifdef ALPHASPARSE_KERNEL_VECTORS
  by_columns = true;
  right &= check_case("y = 2 A x - y, by columns", handle, format, values, 2, -1);
  by_columns = false;
#endif
  if (!holds_values(*static_cast<const Handle*>(handle)->held)) return right;
  std::vector<MatrixValue> others = values;
  for (std::size_t nz = 0; nz < others.size(); ++nz)
    others[nz] = ValuePart(nz % 2 ? -0.5 : 0.25) * others[nz];
#ifndef ALPHASPARSE_PLAIN_VALUES
  fit_values(format, others);
#endif
  check_call(PREFIX_interface()->update_values(handle, others.data()));
  right &= check_case("y = A x, other values", handle, format, others, 1, 0);
  check_call(PREFIX_interface()->update_values(handle, values.data()));
  return right;
}

}  // namespace alphasparse::host
