#include "tests/support/battery.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <set>

#include "base/result.h"

namespace alphasparse {

namespace {

using Columns = std::vector<std::vector<int>>;

/// Values that differ from their neighbours, so that a swapped entry shows.
Matrix from_columns(std::int32_t cols, const Columns& rows) {
  std::vector<std::vector<std::pair<int, double>>> filled;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    filled.emplace_back();
    for (const int col : std::set<int>(rows[row].begin(), rows[row].end())) {
      filled.back().emplace_back(col, 0.25 + static_cast<double>((row * 7 + col * 3) % 11));
    }
  }
  return from_rows(cols, filled);
}

Matrix diagonal(int size) {
  Columns rows(size);
  for (int row = 0; row < size; ++row) rows[row] = {row};
  return from_columns(size, rows);
}

/// The five-point stencil on a grid x grid square.
Matrix stencil(int grid) {
  Columns rows;
  for (int i = 0; i < grid; ++i) {
    for (int j = 0; j < grid; ++j) {
      std::vector<int>& row = rows.emplace_back();
      if (i > 0) row.push_back((i - 1) * grid + j);
      if (j > 0) row.push_back(i * grid + j - 1);
      row.push_back(i * grid + j);
      if (j + 1 < grid) row.push_back(i * grid + j + 1);
      if (i + 1 < grid) row.push_back((i + 1) * grid + j);
    }
  }
  return from_columns(grid * grid, rows);
}

/// Pareto row lengths; first and last rows, a run of inner rows and a fifth of the others empty;
/// one huge row.
Matrix power_law(int size, int huge) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  Columns rows(size);
  for (int row = 0; row < size; ++row) {
    const int length = std::min<int>(size / 8, 1.5 * std::pow(1 - uniform(random), -1 / 1.2));
    const bool in_run = row >= size / 3 && row < size / 3 + 70;
    const bool empty = row == 0 || row == size - 1 || in_run || uniform(random) < 0.2;
    for (int k = 0; k < length && !empty; ++k) rows[row].push_back(uniform(random) * size);
  }
  for (int col = 0; col < huge; ++col) rows[size / 2].push_back(col * (size / huge));
  return from_columns(size, rows);
}

/// Equal to its transpose: a band that has holes, every third diagonal entry missing, a hub that
/// every fourth row is tied to, and rows without any entry.
Matrix symmetric(int size) {
  std::vector<std::vector<std::pair<int, double>>> rows(size);
  const auto tie = [&](int row, int col) {
    const double value = 0.25 + (row * col + 5 * (row + col)) % 11;
    rows[row].emplace_back(col, value);
    if (row != col) rows[col].emplace_back(row, value);
  };
  const int hub = size / 3;
  for (int row = 0; row < size; ++row) {
    if (row % 13 == 12) continue;
    if (row % 3 != 1) tie(row, row);
    if (row % 4 == 0 && std::abs(row - hub) > 8) tie(row, hub);
    for (const int step : {1, 5, 8}) {
      const int col = row + step;
      if (col < size && col % 13 != 12 && (row + step) % 7 != 0) tie(row, col);
    }
  }
  return from_rows(size, rows);
}

Matrix every_row_but(int size, const std::set<int>& empty) {
  Columns rows(size);
  for (int row = 0; row < size; ++row) {
    for (int k = 0; k < 3 && !empty.count(row); ++k) rows[row].push_back((row + 5 * k) % size);
  }
  return from_columns(size, rows);
}

}  // namespace

Matrix from_rows(std::int32_t cols, const std::vector<std::vector<std::pair<int, double>>>& rows) {
  Matrix matrix;
  matrix.rows = static_cast<std::int32_t>(rows.size());
  matrix.cols = cols;
  matrix.row_first.push_back(0);
  for (std::vector<std::pair<int, double>> row : rows) {
    std::sort(row.begin(), row.end());
    for (const auto& [col, value] : row) {
      matrix.col.push_back(col);
      matrix.value.push_back(value);
    }
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  CHECK(check_canonical(matrix).empty());
  return matrix;
}

std::vector<NamedMatrix> battery() {
  std::vector<NamedMatrix> all;
  all.push_back({"one_entry", from_columns(1, {{0}})});
  all.push_back({"one_empty_row", from_columns(1, {{}})});
  all.push_back({"all_empty", from_columns(5, Columns(37))});
  Columns wide(1);
  for (int col = 0; col < 2003; ++col) {
    if (col % 7 != 3) wide[0].push_back(col);
  }
  all.push_back({"one_row", from_columns(2003, wide)});
  Columns tall(301);
  for (int row = 0; row < 301; ++row) {
    if (row % 3 != 1) tall[row] = {0};
  }
  all.push_back({"one_column", from_columns(1, tall)});
  all.push_back({"diagonal_32", diagonal(32)});
  all.push_back({"diagonal_100", diagonal(100)});
  all.push_back({"first_rows_empty", every_row_but(65, {0, 1, 2})});
  all.push_back({"last_rows_empty", every_row_but(65, {61, 62, 63, 64})});
  std::set<int> runs;
  for (int row = 20; row < 90; ++row) runs.insert(row);
  for (int row = 100; row < 133; row += 2) runs.insert(row);
  all.push_back({"runs_of_empty_rows", every_row_but(150, runs)});
  Columns dense(33);
  for (auto& row : dense) {
    for (int col = 0; col < 31; ++col) row.push_back(col);
  }
  all.push_back({"dense_33x31", from_columns(31, dense)});
  Columns rectangular(70);
  for (int row = 0; row < 70; ++row) {
    for (int k = 0; k < row % 9; ++k) rectangular[row].push_back((row * 13 + k * 37) % 500);
  }
  all.push_back({"wide_70x500", from_columns(500, rectangular)});
  all.push_back({"stencil_23", stencil(23)});
  all.push_back({"symmetric_97", symmetric(97)});
  all.push_back({"power_law", power_law(1001, 900)});
  return all;
}

std::vector<NamedMatrix> battery_for(const std::string& design) {
  if (std::getenv("ALPHASPARSE_LONG")) return battery();
  std::vector<NamedMatrix> eighth;
  std::size_t place = design.size();
  for (NamedMatrix& entry : battery())
    if (place++ % 8 == 0) eighth.push_back(std::move(entry));
  return eighth;
}

std::vector<Dtype> types_for(std::size_t number) {
  if (std::getenv("ALPHASPARSE_LONG")) return {Dtype::f32, Dtype::f64};
  return {number % 2 == 0 ? Dtype::f32 : Dtype::f64};
}

Matrix skew_of(Matrix matrix) {
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz)
      matrix.value[nz] *= (matrix.col[nz] > row) - (matrix.col[nz] < row);
  }
  return matrix;
}

Matrix complex_of(Matrix matrix, Mirror mirror) {
  const auto imag_at = [](std::int64_t row, std::int64_t col) {
    return static_cast<double>((row * 5 + col * 2) % 9) / 2 - 2;
  };
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz) {
      const bool is_real =
          mirror != Mirror::none && mirror != Mirror::same && matrix.col[nz] == row;
      if (is_real && mirror == Mirror::negated) matrix.value[nz] = 0;
      matrix.imag.push_back(is_real ? 0 : imag_at(row, matrix.col[nz]));
    }
  }
  if (mirror == Mirror::none) return matrix;
  const auto give = [&](std::int32_t nz, std::int32_t image) {
    matrix.value[image] = host::image_of(mirror, matrix.value[nz]);
    matrix.imag[image] = host::image_of_imag(mirror, matrix.imag[nz]);
    return true;
  };
  CHECK(host::for_each_mirror_image(matrix.row_first, matrix.col, give));
  return matrix;
}

std::vector<NamedMatrix> complex_battery() {
  std::vector<NamedMatrix> all = battery();
  const Matrix symmetric = battery_matrix("symmetric_97");
  for (NamedMatrix& entry : all) entry.matrix = complex_of(std::move(entry.matrix));
  for (const auto& [name, mirror] : {std::pair("symmetric_97_same", Mirror::same),
                                     {"skew_97", Mirror::negated},
                                     {"hermitian_97", Mirror::conjugate}})
    all.push_back({name, complex_of(symmetric, mirror)});
  return all;
}

Matrix battery_matrix(const std::string& name) {
  for (const NamedMatrix& entry : battery()) {
    if (entry.name == name) return entry.matrix;
  }
  CHECK(!"a matrix of the battery");
  return {};
}

std::vector<double> reference_spmv(const Matrix& matrix, const std::vector<double>& x,
                                   const std::vector<double>& y, const Scaling& scaling) {
  std::vector<double> result(matrix.rows);
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    double sum = 0;
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz) {
      sum += matrix.value[nz] * x[matrix.col[nz]];
    }
    result[row] = scaling.scaled(sum, y[row]);
  }
  return result;
}

}  // namespace alphasparse
