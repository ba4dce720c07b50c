// long_vectors: matrices with vectors that take more memory than the entries, or nearly as much.
#pragma once
#include <cstdint>

#include "generator/arrays/large_matrix.h"
#include "generator/arrays/matrix.h"

namespace alphasparse {

/// Whether the vectors of several kernels at once would take most of the memory of their holder.
/// Such a matrix meets one kernel, and one case, at a time. All cases of a matrix take some 75
/// bytes a row, which is twice the bytes of CSR where a row has four entries. A matrix of many
/// entries has no such memory to spare.
inline bool has_long_vectors(const Matrix& matrix) {
  constexpr std::int64_t long_vectors = 1'000'000, times_entries = 4;
  const std::int64_t elements = std::int64_t{matrix.rows} + matrix.cols;
  if (elements <= long_vectors) return false;
  const bool is_large = matrix.nnz() > large_nnz;
  return elements > times_entries * matrix.nnz() || (is_large && elements > matrix.nnz() / 2);
}

}  // namespace alphasparse
