// matrix: the canonical matrix - expanded, duplicates summed, row-major, columns sorted, stored
// zeros kept.
//
// Every reader ends here and every design starts here. "Canonical order" is the order of `value`:
// the order in which a user of a generated kernel hands over new values.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "generator/arrays/mirror.h"
#include "generator/arrays/number_type.h"

namespace alphasparse {

/// Rows, columns and stored entries, pads included, are limited to this.
inline constexpr std::int64_t index_limit = 2147483647;

/// A canonical sparse matrix in CSR. Invariants (checked by check_canonical): row_first[0] = 0,
/// monotone, row_first[rows] = nnz; columns of a row strictly ascending and in [0, cols); values
/// finite in both parts.
struct Matrix {
  std::int32_t rows = 0;                ///< >= 1
  std::int32_t cols = 0;                ///< >= 1
  std::vector<std::int32_t> row_first;  ///< [rows + 1]
  std::vector<std::int32_t> col;        ///< [nnz]
  std::vector<double> value;            ///< [nnz], of complex values their real parts
  std::vector<double> imag = {};        ///< [nnz], or empty: all values are real

  bool is_complex() const { return !imag.empty(); }
  std::int64_t nnz() const { return static_cast<std::int64_t>(col.size()); }
  std::int32_t row_length(std::int32_t row) const { return row_first[row + 1] - row_first[row]; }
};

/// Empty where the invariants hold, else the first one that does not.
std::string check_canonical(const Matrix& matrix);

/// How the entries above the diagonal give those below, by the bits of values - but the sign of an
/// imaginary part that is 0 does not count; the diagonal gives itself. O(nnz), but none is found
/// out early.
Mirror find_mirror(const Matrix& matrix);

/// Where each row's entries begin, [rows + 1]: of entries in row order of which each has a row in
/// [0, rows), at most index_limit of them. In any other order, where they would begin.
std::vector<std::int32_t> row_starts(const std::vector<std::int32_t>& row_of, std::int32_t rows);

/// O(nnz + cols).
Matrix transposed(const Matrix& matrix);

/// 32 hexadecimal digits (XXH3, 128 bit): over rows, cols, row_first and col; over the values'
/// bits, of complex ones both parts in turn.
struct Fingerprints {
  std::string pattern;
  std::string values;
};

Fingerprints fingerprints(const Matrix& matrix);

/// Bytes of the matrix in CSR: nnz values and 4-byte columns, rows + 1 4-byte offsets.
std::int64_t csr_bytes(std::int64_t rows, std::int64_t nnz, Dtype dtype);
std::int64_t csr_bytes(const Matrix& matrix, Dtype dtype);  ///< its values as kernels store them

}  // namespace alphasparse
