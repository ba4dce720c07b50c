// long_vectors: matrices with rows and columns that take far more memory than the entries.
#pragma once
#include <cstdint>

#include "generator/arrays/matrix.h"

namespace alphasparse {

/// Whether the vectors of several kernels at once would take most of the memory of their holder.
/// Such a matrix meets one kernel, and one case, at a time.
inline bool has_long_vectors(const Matrix& matrix) {
  constexpr std::int64_t long_vectors = 1'000'000, times_entries = 4;
  const std::int64_t elements = std::int64_t{matrix.rows} + matrix.cols;
  return elements > long_vectors && elements > times_entries * matrix.nnz();
}

}  // namespace alphasparse
