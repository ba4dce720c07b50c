#include "runtime/device/baseline_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "generator/arrays/stored_values.h"
#include "runtime/device/baseline_library.h"

namespace alphasparse {

namespace {

constexpr std::int64_t pads_max = 16;  // entries of slices for each non-zero
constexpr std::array<std::int32_t, 6> sides_of_gpus = {2, 3, 4, 5, 6, 8};  // of blocks
constexpr std::array<std::int32_t, 3> sides_of_mkl = {2, 3, 4};
constexpr double fill_max = 1.5;  // entries of blocks for each non-zero

/// Arrays of a format before they are bytes; sources as of a value array.
struct Parts {
  std::vector<std::int32_t> row, column, source;
};

Parts csr(const Matrix& matrix) {
  Parts parts{matrix.row_first, matrix.col, std::vector<std::int32_t>(matrix.col.size())};
  std::iota(parts.source.begin(), parts.source.end(), 0);
  return parts;
}

Parts coo(const Matrix& matrix) {
  Parts parts = csr(matrix);
  parts.row.clear();
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    parts.row.insert(parts.row.end(), matrix.row_length(row), row);
  }
  return parts;
}

/// The longest row of a slice.
std::int64_t slice_width(const Matrix& matrix, std::int32_t first, std::int32_t slice_rows) {
  std::int64_t width = 0;
  const std::int32_t end = std::min(matrix.rows, first + slice_rows);
  for (std::int32_t row = first; row < end; ++row) {
    width = std::max<std::int64_t>(width, matrix.row_length(row));
  }
  return width;
}

/// Slices of so many rows, column by column; a pad has column -1, as the libraries ask.
Result<Parts> sell(const Matrix& matrix, std::int32_t slice_rows) {
  Parts parts;
  std::int64_t stored = 0;
  for (std::int32_t first = 0; first < matrix.rows; first += slice_rows) {
    parts.row.push_back(static_cast<std::int32_t>(stored));
    stored += slice_width(matrix, first, slice_rows) * slice_rows;
    if (stored > pads_max * std::max<std::int64_t>(1, matrix.nnz()) || stored > index_limit) {
      return Failure{Status::pruned,
                     fmt::format("padded, it holds over {} times the non-zeros", pads_max)};
    }
  }
  parts.row.push_back(static_cast<std::int32_t>(stored));
  parts.column.assign(stored, -1);
  parts.source.assign(stored, -1);
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    std::int64_t at = parts.row[row / slice_rows] + row % slice_rows;
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz) {
      parts.column[at] = matrix.col[nz];
      parts.source[at] = nz;
      at += slice_rows;
    }
  }
  return parts;
}

/// Columns of blocks of side x side that have an entry, block row by block row.
Parts block_pattern(const Matrix& matrix, std::int32_t side) {
  Parts parts;
  parts.row.push_back(0);
  std::vector<std::int32_t> columns;
  for (std::int32_t first = 0; first < matrix.rows; first += side) {
    columns.clear();
    for (std::int32_t nz = matrix.row_first[first]; nz < matrix.row_first[first + side]; ++nz) {
      columns.push_back(matrix.col[nz] / side);
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    parts.column.insert(parts.column.end(), columns.begin(), columns.end());
    parts.row.push_back(static_cast<std::int32_t>(parts.column.size()));
  }
  return parts;
}

/// Blocks row by row, the entries of each row by row.
Parts make_bsr(const Matrix& matrix, std::int32_t side, Parts parts) {
  const std::int64_t area = std::int64_t{side} * side;
  parts.source.assign(parts.column.size() * static_cast<std::size_t>(area), -1);
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    const auto first = parts.column.begin() + parts.row[row / side];
    const auto end = parts.column.begin() + parts.row[row / side + 1];
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz) {
      const auto block = std::lower_bound(first, end, matrix.col[nz] / side);
      const std::int64_t index = block - parts.column.begin();
      parts.source[index * area + row % side * side + matrix.col[nz] % side] = nz;
    }
  }
  return parts;
}

/// The entries on and above the diagonal, in CSR.
Result<Parts> triangle(const Matrix& matrix) {
  if (const Mirror mirror = find_mirror(matrix);
      mirror != Mirror::same && mirror != Mirror::conjugate)
    return Failure{Status::pruned, "the matrix is neither symmetric nor Hermitian"};
  Parts parts;
  parts.row.push_back(0);
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz) {
      if (matrix.col[nz] < row) continue;
      parts.column.push_back(matrix.col[nz]);
      parts.source.push_back(nz);
    }
    parts.row.push_back(static_cast<std::int32_t>(parts.column.size()));
  }
  return parts;
}

/// Square blocks of the side that takes the fewest bytes, of those that divide the matrix.
Result<Parts> bsr(const Matrix& matrix, Dtype dtype, std::span<const std::int32_t> sides) {
  const auto stored_max = fill_max * static_cast<double>(matrix.nnz());
  std::optional<Parts> best;
  std::int32_t best_side = 0;
  std::int64_t best_bytes = 0;
  for (const std::int32_t side : sides) {
    if (matrix.rows == 0 || matrix.rows % side != 0 || matrix.cols % side != 0) continue;
    Parts parts = block_pattern(matrix, side);
    const auto blocks = static_cast<std::int64_t>(parts.column.size());
    const std::int64_t stored = blocks * side * side;
    const std::int64_t bytes = stored * number_type(dtype).bytes + 4 * blocks;
    if (static_cast<double>(stored) > stored_max || stored > index_limit) continue;
    if (best && best_bytes <= bytes) continue;
    best = std::move(parts);
    best_side = side;
    best_bytes = bytes;
  }
  if (!best) {
    return Failure{Status::pruned,
                   fmt::format("no blocks of 2 to {} rows and columns divide it and hold at most "
                               "{} times the non-zeros",
                               sides.back(), fill_max)};
  }
  return make_bsr(matrix, best_side, std::move(*best));
}

/// Takes the entries: they are held once.
Array integers(const std::string& name, std::vector<std::int32_t> entries, const std::string& doc) {
  Array array;
  array.name = name;
  array.count = static_cast<std::int64_t>(entries.size());
  array.bytes.resize(entries.size() * sizeof(std::int32_t));
  if (!entries.empty()) std::memcpy(array.bytes.data(), entries.data(), array.bytes.size());
  array.doc = doc;
  return array;
}

Baseline spmm(std::string_view name, std::string_view format, int number) {
  Baseline row{name, format, "cuSPARSE", number};
  row.is_spmm = true;
  return row;
}

/// One whose plan takes long to make.
Baseline planned(std::string_view name, int number) {
  return {.name = name,
          .format = "csr",
          .library = "cuSPARSE",
          .number = number,
          .part = spmv_op,
          .is_slow_to_prepare = true};
}

/// One of a part of rocSPARSE that not all its versions have.
Baseline newer(std::string_view name, std::string_view format, int number, std::string_view part,
               int since) {
  return {.name = name,
          .format = format,
          .library = "rocSPARSE",
          .number = number,
          .slice_rows = format == "sell" ? 32 : 0,
          .part = part,
          .since = since};
}

const std::vector<Baseline>& all_rows() {
  static const std::vector<Baseline> rows = {
      {"cusparse-csr-1", "csr", "cuSPARSE", 2},
      {"cusparse-csr-2", "csr", "cuSPARSE", 3},
      {"cusparse-sell", "sell", "cuSPARSE", 5, 32},
      {"cusparse-sell-16", "sell", "cuSPARSE", 5, 16},
      {"cusparse-sell-8", "sell", "cuSPARSE", 5, 8},
      {"cusparse-bsr", "bsr", "cuSPARSE", 6},
      {"cusparse-coo-1", "coo", "cuSPARSE", 1},
      {"cusparse-coo-2", "coo", "cuSPARSE", 4},
      spmm("cusparse-spmm-csr-1", "csr", 4),
      spmm("cusparse-spmm-csr-2", "csr", 6),
      spmm("cusparse-spmm-csr-3", "csr", 12),
      spmm("cusparse-spmm-coo-4", "coo", 5),
      spmm("cusparse-spmm-bsr", "bsr", 14),
      planned("cusparse-op-1", 1),
      planned("cusparse-op-2", 2),
      {"rocsparse-csr-adaptive", "csr", "rocSPARSE", 2},
      {"rocsparse-csr-rowsplit", "csr", "rocSPARSE", 3},
      newer("rocsparse-csr-lrb", "csr", 7, rocsparse_lrb, 300100),
      newer("rocsparse-csr-nnzsplit", "csr", 8, rocsparse_nnzsplit, 400200),
      newer("rocsparse-sell", "sell", 9, rocsparse_sell, 400200),
      {"rocsparse-bsr", "bsr", "rocSPARSE", 6},
      {"rocsparse-ell", "ell", "rocSPARSE", 4},
      {"rocsparse-coo-atomic", "coo", "rocSPARSE", 5},
      {"rocsparse-coo", "coo", "rocSPARSE", 1},
      {.name = "openmp-csr", .format = "csr", .library = "OpenMP", .source = "openmp_csr.h"},
      {.name = "mkl-csr", .format = "csr", .library = "MKL"},
      {.name = "mkl-csr-optimised", .format = "csr", .library = "MKL", .optimised = true},
      {.name = "mkl-symmetric", .format = "triangle", .library = "MKL", .optimised = true},
      {.name = "mkl-bsr", .format = "bsr", .library = "MKL", .optimised = true},
      // Compiling it takes seconds of the share that a search has for all.
      {.name = "eigen",
       .format = "csr",
       .library = "Eigen",
       .source = "eigen.h",
       .is_slow_to_prepare = true},
  };
  return rows;
}

bool is_for(const Baseline& row, Target target, Dialect dialect) {
  const BaselineLibrary& library = library_named(row.library);
  return library.target == target && (target == Target::cpu || library.dialect == dialect);
}

/// Those that multiply one vector, or several. Of several those for one too, by calls; the slow to
/// prepare stay the last.
std::vector<Baseline> chosen(Target target, Dialect dialect, bool several) {
  static std::deque<std::string> names;
  std::vector<Baseline> rows;
  for (const Baseline& row : all_rows()) {
    if (is_for(row, target, dialect) && row.multiplies(several ? 2 : 1)) rows.push_back(row);
  }
  for (const Baseline& row : all_rows()) {
    if (!several || !is_for(row, target, dialect) || !row.multiplies(1)) continue;
    Baseline& called = rows.emplace_back(row);
    called.name = names.emplace_back(fmt::format("{}-calls", row.name));
    called.by_calls = true;
  }
  std::stable_partition(rows.begin(), rows.end(),
                        [](const Baseline& row) { return !row.is_slow_to_prepare; });
  return rows;
}

/// Of each machine for one vector, then for several.
const std::vector<std::vector<Baseline>>& all_lists() {
  static const std::vector<std::vector<Baseline>> lists = {
      chosen(Target::gpu, Dialect::cuda, false), chosen(Target::gpu, Dialect::cuda, true),
      chosen(Target::gpu, Dialect::hip, false),  chosen(Target::gpu, Dialect::hip, true),
      chosen(Target::cpu, Dialect::cuda, false), chosen(Target::cpu, Dialect::cuda, true)};
  return lists;
}

}  // namespace

const std::vector<Baseline>& baselines(Target target, int vectors, Dialect dialect) {
  const std::size_t machine = target == Target::cpu ? 2 : dialect == Dialect::hip ? 1 : 0;
  return all_lists()[2 * machine + (vectors > 1 ? 1 : 0)];
}

const std::vector<Baseline>& baselines(const DeviceInfo& device, int vectors) {
  return baselines(device.target, vectors, device.dialect);
}

bool runs_on(const Baseline& algorithm, const DeviceInfo& device) {
  return is_for(algorithm, device.target, device.dialect);
}

const Baseline* find_baseline(std::string_view name) {
  for (const std::vector<Baseline>& list : all_lists()) {
    for (const Baseline& algorithm : list) {
      if (algorithm.name == name) return &algorithm;
    }
  }
  return nullptr;
}

std::string_view find_missing(const Baseline& algorithm, const std::string& reason) {
  for (const std::string_view needed : {algorithm.library, algorithm.part}) {
    if (!needed.empty() && is_library_missing(needed, reason)) return needed;
  }
  return "";
}

namespace {

Result<Parts> make_parts(const Baseline& algorithm, const Matrix& matrix, Dtype dtype) {
  if (algorithm.format == "csr") return csr(matrix);
  if (algorithm.format == "coo") return coo(matrix);
  if (algorithm.format == "triangle") return triangle(matrix);
  if (algorithm.format == "sell") return sell(matrix, algorithm.slice_rows);
  if (algorithm.format == "ell") return sell(matrix, std::max(1, matrix.rows));
  if (algorithm.library == "MKL") return bsr(matrix, dtype, sides_of_mkl);
  return bsr(matrix, dtype, sides_of_gpus);
}

}  // namespace

Result<Kernel> baseline_kernel(const Baseline& algorithm, const Matrix& matrix,
                               const Operands& operands) {
  if (!algorithm.multiplies(operands.vectors))
    return Failure{Status::pruned, operands.vectors == 1 ? "it multiplies several vectors alone"
                                                         : "it multiplies one vector alone"};
  const Dtype dtype = operands.dtype;
  Result<Parts> parts = make_parts(algorithm, matrix, dtype);
  if (!parts) return parts.failure();
  Kernel kernel;
  kernel.design = algorithm.name;
  kernel.vendor = algorithm.name;
  kernel.dtype = dtype;
  kernel.vectors = operands.vectors;
  kernel.rows = matrix.rows;
  kernel.cols = matrix.cols;
  kernel.nnz = matrix.nnz();
  kernel.target = algorithm.target();
  kernel.adds_in_any_order = kernel.target == Target::gpu;  // vendors promise nothing else
  if (algorithm.format == "triangle") kernel.mirror = find_mirror(matrix);
  const bool has_holes = static_cast<std::int64_t>(parts->source.size()) > matrix.nnz();
  // The format that MKL makes of a matrix has pads that meet an x.
  kernel.reads_fill = algorithm.optimised || (algorithm.format == "bsr" && has_holes);
  const CanonicalValues values = number_type(dtype).is_complex()
                                     ? CanonicalValues::as_complex(matrix)
                                     : CanonicalValues(matrix);
  // One by one, for a list in braces is copied.
  kernel.arrays.push_back(integers("row", std::move(parts->row),
                                   "offsets of rows, slices or rows of blocks, or row indices"));
  kernel.arrays.push_back(
      integers("column", std::move(parts->column), "column of each entry or block; -1 for a pad"));
  kernel.arrays.push_back(value_array(ValueChoice::full, dtype, values, std::move(parts->source)));
  return kernel;
}

int columns_a_call(const Kernel& kernel) {
  const Baseline* const algorithm = find_baseline(kernel.vendor);
  return algorithm != nullptr && algorithm->by_calls ? 1 : kernel.vectors;
}

}  // namespace alphasparse
