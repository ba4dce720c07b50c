// whole_sizes: the matrix that a sample is a part of (search/estimates/sample.h).
//
// A modelled device counts the work of a kernel on a sample, multiplies the counts by the sizes
// here, and evaluates its model once for the whole matrix (runtime/emulated/whole_counts.h). A time
// of the sample itself would not do: most of it is latency and an unfilled GPU, which do not grow
// with the matrix.
#pragma once
#include <cstdint>

namespace alphasparse {

/// Sizes of the whole matrix, and of its sample where both are needed.
struct WholeSizes {
  double times = 1;                   ///< non-zeros of the whole over those of the sample, > 1
  std::int64_t rows = 0, cols = 0;    ///< of the whole
  std::int64_t x_sectors = 0;         ///< 32-byte sectors of x with a column of the whole
  std::int64_t sample_x_sectors = 0;  ///< and with a column of the sample
  /// The longest row of the whole over that of the sample, >= 1, for a kernel whose threads, warps
  /// or blocks take whole rows; 1 for another.
  double longest_times = 1;
};

}  // namespace alphasparse
