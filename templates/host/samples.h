// samples: a program times its kernel as tune does, and prints the result.
//
// The machine works for 100 ms first, so that its clocks are up. A sample is a batch of SpMVs that
// lasts at least a millisecond, as in a solver's loop.
#pragma once
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "templates/host/loader.h"

namespace alphasparse::host {

constexpr double warm_up_us = 100e3;
constexpr double batch_us_min = 1000;  // unless batch_max SpMVs take less
constexpr int batch_max = 512;         // SpMVs of a sample
constexpr int samples_min = 7;         // however long they take
constexpr int samples_max = 51;        // as far as they fit into samples_us_max
constexpr double samples_us_max = 200e3;

/// Whether a sample follows the `taken` ones. With a `count` of 0 there are as many as tune takes.
inline bool wanted(int taken, int count, double total_us) {
  if (count > 0) return taken < count;
  return taken < samples_max && (taken < samples_min || total_us < samples_us_max);
}

/// The size of the batch after one that was too short: at most 16 times as many SpMVs.
inline int grown(int batch, double batch_us) {
  const double growth = 1.1 * batch_us_min / (batch_us > 1e-3 ? batch_us : 1e-3);
  const double next = batch * (growth < 1.5 ? 1.5 : growth > 16 ? 16 : growth);
  const int whole = static_cast<int>(next < batch_max ? next : batch_max);
  return whole < batch_max && whole < next ? whole + 1 : whole;
}

inline void sort(std::vector<double>& times) {
  std::qsort(times.data(), times.size(), sizeof(double), [](const void* a, const void* b) {
    const double first = *static_cast<const double*>(a), second = *static_cast<const double*>(b);
    return (first > second) - (first < second);
  });
}

/// The time below which this share of the samples lies, interpolated between neighbours.
inline double quantile(const std::vector<double>& ascending, double share) {
  const double position = share * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = below + 1 < ascending.size() ? below + 1 : below;
  const double part = position - static_cast<double>(below);
  return ascending[below] + part * (ascending[above] - ascending[below]);
}

inline void report_times(const std::vector<double>& times_us, int batch,
                         const LoadedFormat& format) {
  const double median = quantile(times_us, 0.5);
  double bytes = static_cast<double>(facts.rows + facts.cols) * sizeof(Value);
#ifdef ALPHASPARSE_KERNEL_VECTORS
  bytes *= vectors;
#endif
  for (const LoadedArray& array : format.arrays) bytes += static_cast<double>(array.bytes.size());
  std::printf("time    %.3f us (median of %zu batches of %d, warm; p20 %.3f, p80 %.3f)\n", median,
              times_us.size(), batch, quantile(times_us, 0.2), quantile(times_us, 0.8));
  std::printf("rate    %.2f GFLOP/s, %.2f GB/s (format, x and y once each: %.0f bytes)\n",
#ifdef ALPHASPARSE_KERNEL_VECTORS
              2e-3 * vectors * static_cast<double>(facts.nnz) / median, 1e-3 * bytes / median,
              bytes);
#else
#ifdef ALPHASPARSE_REAL_KERNEL
              2e-3 * static_cast<double>(facts.nnz) / median, 1e-3 * bytes / median, bytes);
#else
              8e-3 * static_cast<double>(facts.nnz) / median, 1e-3 * bytes / median, bytes);
#endif
#endif
}

#ifdef ALPHASPARSE_KERNEL_VECTORS
inline void report_columns(const std::vector<double>& times_us) {
  std::printf("columns %.3f us where X and Y lie by columns\n", quantile(times_us, 0.5));
}

#endif
inline void report_matrix() {
  std::printf("design  %s\n", facts.design);
  std::printf("matrix  %lld rows, %lld columns, %lld non-zeros, %s\n",
              static_cast<long long>(facts.rows), static_cast<long long>(facts.cols),
              static_cast<long long>(facts.nnz), facts.dtype);
}

}  // namespace alphasparse::host
