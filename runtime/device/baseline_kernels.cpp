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
constexpr std::array<std::int32_t, 6> sides_of_cusparse = {2, 3, 4, 5, 6, 8};  // of blocks
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

/// Slices of so many rows, column by column; a pad has column -1, as cuSPARSE asks.
Result<Parts> sell(const Matrix& matrix, std::int32_t slice_rows) {
  Parts parts;
  std::int64_t stored = 0;
  for (std::int32_t first = 0; first < matrix.rows; first += slice_rows) {
    parts.row.push_back(static_cast<std::int32_t>(stored));
    stored += slice_width(matrix, first, slice_rows) * slice_rows;
    if (stored > pads_max * std::max<std::int64_t>(1, matrix.nnz()) || stored > index_limit) {
      return Failure{Status::pruned,
                     fmt::format("its slices are over {} times the non-zeros", pads_max)};
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
Parts bsr_of(const Matrix& matrix, std::int32_t side, Parts parts) {
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
  if (const Mirror mirror = mirror_of(matrix);
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
  return bsr_of(matrix, best_side, std::move(*best));
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

const std::vector<Baseline>& all_of(Target target) {
  static const std::vector<Baseline> of_gpus = {
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
      // The last: making their plans takes long.
      {.name = "cusparse-op-1",
       .format = "csr",
       .library = "cuSPARSE",
       .number = 1,
       .part = spmv_op},
      {.name = "cusparse-op-2",
       .format = "csr",
       .library = "cuSPARSE",
       .number = 2,
       .part = spmv_op},
  };
  static const std::vector<Baseline> of_cpus = {
      {.name = "openmp-csr", .format = "csr", .library = "OpenMP", .source = "openmp_csr.h"},
      {.name = "mkl-csr", .format = "csr", .library = "MKL"},
      {.name = "mkl-csr-optimised", .format = "csr", .library = "MKL", .optimised = true},
      {.name = "mkl-symmetric", .format = "triangle", .library = "MKL", .optimised = true},
      {.name = "mkl-bsr", .format = "bsr", .library = "MKL", .optimised = true},
      // The last: compiling it takes seconds of the share that a search has for all.
      {.name = "eigen", .format = "csr", .library = "Eigen", .source = "eigen.h"},
  };
  return target == Target::cpu ? of_cpus : of_gpus;
}

/// Those that multiply one vector, or several. Of several those for one too, by calls; the slow to
/// prepare stay the last.
std::vector<Baseline> chosen(Target target, bool several) {
  static std::deque<std::string> names;
  std::vector<Baseline> rows;
  for (const Baseline& row : all_of(target)) {
    if (row.multiplies(several ? 2 : 1)) rows.push_back(row);
  }
  for (const Baseline& row : all_of(target)) {
    if (!several || !row.multiplies(1)) continue;
    Baseline& called = rows.emplace_back(row);
    called.name = names.emplace_back(fmt::format("{}-calls", row.name));
    called.by_calls = true;
  }
  std::stable_partition(rows.begin(), rows.end(), [](const Baseline& row) {
    return row.library != "Eigen" && row.part.empty();
  });
  return rows;
}

}  // namespace

const std::vector<Baseline>& baselines(Target target, int vectors) {
  static const std::array<std::vector<Baseline>, 4> lists = {
      chosen(Target::gpu, false), chosen(Target::gpu, true), chosen(Target::cpu, false),
      chosen(Target::cpu, true)};
  return lists[(target == Target::cpu ? 2 : 0) + (vectors > 1 ? 1 : 0)];
}

const Baseline* find_baseline(std::string_view name) {
  for (const Target target : {Target::gpu, Target::cpu}) {
    for (const int vectors : {1, vectors_most}) {
      for (const Baseline& algorithm : baselines(target, vectors)) {
        if (algorithm.name == name) return &algorithm;
      }
    }
  }
  return nullptr;
}

std::string_view missing_of(const Baseline& algorithm, const std::string& reason) {
  for (const std::string_view needed : {algorithm.library, algorithm.part}) {
    if (!needed.empty() && is_library_missing(needed, reason)) return needed;
  }
  return "";
}

Target target_of(const Baseline& algorithm) {
  return algorithm.library == "cuSPARSE" ? Target::gpu : Target::cpu;
}

namespace {

Result<Parts> parts_of(const Baseline& algorithm, const Matrix& matrix, Dtype dtype) {
  if (algorithm.format == "csr") return csr(matrix);
  if (algorithm.format == "coo") return coo(matrix);
  if (algorithm.format == "triangle") return triangle(matrix);
  if (algorithm.format == "sell") return sell(matrix, algorithm.slice_rows);
  if (algorithm.library == "MKL") return bsr(matrix, dtype, sides_of_mkl);
  return bsr(matrix, dtype, sides_of_cusparse);
}

}  // namespace

Result<Kernel> baseline_kernel(const Baseline& algorithm, const Matrix& matrix,
                               const Operands& operands) {
  if (!algorithm.multiplies(operands.vectors))
    return Failure{Status::pruned, operands.vectors == 1 ? "it multiplies several vectors alone"
                                                         : "it multiplies one vector alone"};
  const Dtype dtype = operands.dtype;
  Result<Parts> parts = parts_of(algorithm, matrix, dtype);
  if (!parts) return parts.failure();
  Kernel kernel;
  kernel.design = algorithm.name;
  kernel.vendor = algorithm.name;
  kernel.dtype = dtype;
  kernel.vectors = operands.vectors;
  kernel.rows = matrix.rows;
  kernel.cols = matrix.cols;
  kernel.nnz = matrix.nnz();
  kernel.target = target_of(algorithm);
  kernel.adds_in_any_order = kernel.target == Target::gpu;  // cuSPARSE promises nothing else
  if (algorithm.format == "triangle") kernel.mirror = mirror_of(matrix);
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
