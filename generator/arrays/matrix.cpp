#include "generator/arrays/matrix.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <numeric>

#include "base/result.h"
#include "generator/arrays/fingerprints.h"

namespace alphasparse {

std::string check_canonical(const Matrix& matrix) {
  if (matrix.rows < 1 || matrix.cols < 1) return "no rows or no columns";
  if (matrix.row_first.size() != static_cast<std::size_t>(matrix.rows) + 1) {
    return "row_first does not have rows + 1 entries";
  }
  if (matrix.value.size() != matrix.col.size()) return "value and col differ in length";
  if (matrix.is_complex() && matrix.imag.size() != matrix.col.size())
    return "imag and col differ in length";
  if (matrix.row_first[0] != 0 || matrix.row_first[matrix.rows] != matrix.nnz()) {
    return "row_first does not run from 0 to nnz";
  }
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    if (matrix.row_length(row) < 0) return fmt::format("row {} has a negative length", row);
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz) {
      if (matrix.col[nz] < 0 || matrix.col[nz] >= matrix.cols) {
        return fmt::format("column {} of row {} is outside", matrix.col[nz], row);
      }
      if (nz > matrix.row_first[row] && matrix.col[nz - 1] >= matrix.col[nz]) {
        return fmt::format("columns of row {} do not ascend", row);
      }
      if (!std::isfinite(matrix.value[nz]) ||
          (matrix.is_complex() && !std::isfinite(matrix.imag[nz])))
        return fmt::format("a value of row {} is not finite", row);
    }
  }
  return "";
}

namespace {

/// Whether a square matrix has the entries that its upper triangle gives so.
bool has_images(const Matrix& matrix, Mirror mirror) {
  const std::vector<std::int32_t>&first = matrix.row_first, &col = matrix.col;
  const std::vector<double>&value = matrix.value, &imag = matrix.imag;
  const bool is_complex = matrix.is_complex();
  const auto have_equal_bits = [](double one, double other) {
    return std::bit_cast<std::uint64_t>(one) == std::bit_cast<std::uint64_t>(other);
  };
  const auto is_image = [&](std::int32_t nz, std::int32_t image) {
    return have_equal_bits(host::image_of(mirror, value[nz]), value[image]) &&
           (!is_complex || host::image_of_imag(mirror, imag[nz]) == imag[image]);
  };
  if (!host::for_each_mirror_image(first, col, is_image)) return false;
  if (mirror == Mirror::same) return true;  // the diagonal gives itself
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t nz = first[row]; nz < first[row + 1]; ++nz) {
      if (col[nz] == row && !is_own_image(mirror, value[nz], is_complex ? imag[nz] : 0))
        return false;
    }
  }
  return true;
}

}  // namespace

Mirror find_mirror(const Matrix& matrix) {
  if (matrix.rows != matrix.cols) return Mirror::none;
  for (const Mirror mirror : {Mirror::same, Mirror::negated})
    if (has_images(matrix, mirror)) return mirror;
  if (matrix.is_complex() && has_images(matrix, Mirror::conjugate)) return Mirror::conjugate;
  return Mirror::none;
}

std::vector<std::int32_t> row_starts(const std::vector<std::int32_t>& row_of, std::int32_t rows) {
  std::vector<std::int32_t> first(static_cast<std::size_t>(rows) + 1, 0);
  for (const std::int32_t row : row_of) ++first[static_cast<std::size_t>(row) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  return first;
}

Matrix transposed(const Matrix& matrix) {
  Matrix result;
  result.rows = matrix.cols;
  result.cols = matrix.rows;
  result.row_first = row_starts(matrix.col, matrix.cols);
  result.col.resize(matrix.col.size());
  result.value.resize(matrix.col.size());
  result.imag.resize(matrix.imag.size());
  std::vector<std::int32_t> next(result.row_first.begin(), result.row_first.end() - 1);
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz) {
      const std::int32_t index = next[matrix.col[nz]]++;
      result.col[index] = row;
      result.value[index] = matrix.value[nz];
      if (matrix.is_complex()) result.imag[index] = matrix.imag[nz];
    }
  }
  return result;
}

Fingerprints fingerprints(const Matrix& matrix) {
  return make_fingerprints(matrix.rows, matrix.cols, matrix.row_first.data(), matrix.col.data(),
                           matrix.value.data(), matrix.is_complex() ? matrix.imag.data() : nullptr);
}

std::int64_t csr_bytes(std::int64_t rows, std::int64_t nnz, Dtype dtype) {
  return nnz * (number_type(dtype).bytes + 4) + (rows + 1) * 4;
}

std::int64_t csr_bytes(const Matrix& matrix, Dtype dtype) {
  return csr_bytes(matrix.rows, matrix.nnz(),
                   matrix.is_complex() ? dtype : number_type(dtype).real);
}

}  // namespace alphasparse
