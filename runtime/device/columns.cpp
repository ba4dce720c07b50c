#include "runtime/device/columns.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "generator/arrays/operands.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/device/expectations.h"

namespace alphasparse {

namespace {

constexpr std::int64_t gap_bytes = 16;  // as wide as the widest load, whose alignment stays

/// A matrix of numbers as the kernel has it, with a gap behind each row, or column by column.
template <class Number>
std::vector<std::byte> make_matrix(const Kernel& kernel, std::int64_t rows, std::int64_t distance,
                                   double gap, const Number& number) {
  const bool by_rows = columns_a_call(kernel) > 1;
  return to_device(kernel.dtype, static_cast<std::size_t>(rows * distance),
                   [&](std::size_t i) -> double {
                     const auto at = static_cast<std::int64_t>(i);
                     const std::int64_t row = by_rows ? at / distance : at % rows;
                     const auto column = static_cast<int>(by_rows ? at % distance : at / rows);
                     return column < kernel.vectors ? number(row, column) : gap;
                   });
}

/// The case with rows that lie so far apart.
SpmvCase spread(const Kernel& kernel, const SpmvCase& one, const SharedBytes& finite,
                std::int64_t distance) {
  constexpr double huge = 1e38, kept = -77;
  SpmvCase made = one;
  made.distances = {distance, distance};
  const auto scaled = [&](const SharedBytes& from, std::int64_t row, int column) {
    return column_factor(column) * from_device(kernel.dtype, from, static_cast<std::size_t>(row));
  };
  made.x = make_matrix(kernel, kernel.cols, distance, huge, [&](std::int64_t row, int column) {
    const bool own = finite.empty() || column == infinite_column(kernel);
    return scaled(own ? one.x : finite, row, column);
  });
  made.y = make_matrix(kernel, kernel.rows, distance, kept,
                       [&](std::int64_t row, int column) { return scaled(one.y, row, column); });
  return made;
}

/// The first row with a gap that has changed; none: -1.
std::int64_t written_gap(const Kernel& kernel, const SpmvCase& input, const SpmvOutcome& outcome) {
  const auto element = static_cast<std::size_t>(number_type(kernel.dtype).bytes);
  const auto row_bytes = static_cast<std::size_t>(input.distances.y) * element,
             used = static_cast<std::size_t>(kernel.vectors) * element;
  for (std::size_t at = 0; at < outcome.y.size(); at += row_bytes) {
    if (std::memcmp(&outcome.y[at + used], input.y.data() + at + used, row_bytes - used) != 0)
      return static_cast<std::int64_t>(at / row_bytes);
  }
  return -1;
}

}  // namespace

std::int64_t distance_most(const Kernel& kernel) {
  return kernel.vectors == 1 ? 1 : kernel.vectors + gap_bytes / number_type(kernel.dtype).bytes;
}

double column_factor(int column) { return std::ldexp(column % 2 == 0 ? 1 : -1, -(column / 2)); }

int infinite_column(const Kernel& kernel) { return kernel.vectors / 2; }

SpmvCase with_columns(const Kernel& kernel, const SpmvCase& one) {
  return kernel.vectors == 1 ? one : spread(kernel, one, {}, kernel.vectors);
}

Result<std::vector<SpmvOutcome>> run_columns(const Kernel& kernel, LoadedKernel& loaded,
                                             std::span<const SpmvCase> cases,
                                             const std::vector<SharedBytes>& finite) {
  const std::int64_t distance = kernel.vendor.empty() ? distance_most(kernel) : kernel.vectors;
  std::vector<SpmvCase> wide;
  for (std::size_t i = 0; i < cases.size(); ++i)
    wide.push_back(spread(kernel, cases[i], finite[i], distance));
  Result<std::vector<SpmvOutcome>> outcomes = loaded.run(wide);
  if (!outcomes) return outcomes;
  std::vector<SpmvOutcome> narrow;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const SpmvOutcome& outcome = (*outcomes)[i];
    if (const std::int64_t row = written_gap(kernel, wide[i], outcome); row >= 0) {
      return Failure{Status::wrong_result,
                     fmt::format("wrong result in case '{}': row {} of Y was written beyond its {} "
                                 "columns",
                                 cases[i].name, row, kernel.vectors)};
    }
    for (int column = 0; column < kernel.vectors; ++column) {
      SpmvOutcome& one = narrow.emplace_back();
      one.device_seconds = outcome.device_seconds / kernel.vectors;
      one.y = to_device(kernel.dtype, static_cast<std::size_t>(kernel.rows), [&](std::size_t row) {
        const auto at = static_cast<std::int64_t>(row);
        const std::int64_t index = columns_a_call(kernel) > 1
                                       ? at * distance + column
                                       : column * std::int64_t{kernel.rows} + at;
        return from_device(kernel.dtype, outcome.y, static_cast<std::size_t>(index)) /
               column_factor(column);
      });
    }
  }
  return narrow;
}

}  // namespace alphasparse
