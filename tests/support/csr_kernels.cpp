#include "tests/support/csr_kernels.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <numeric>
#include <string_view>

#include "base/result.h"
#include "templates/templates.h"

namespace alphasparse {

namespace {

std::string kernel_file(const std::string& name) {
  std::ifstream in(std::string(ALPHASPARSE_SOURCE_DIR) + "/tests/kernels/" + name);
  CHECK(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The beginning of every source here.
std::string preamble(Dtype dtype) {
  return "#define ALPHASPARSE_VALUE " + std::string(number_type(dtype).c_name) + "\n" +
         std::string(template_text("fragments/prelude.cuh"));
}

std::string constant(const std::string& name, std::int64_t value) {
  return "constexpr int " + name + " = " + std::to_string(value) + ";\n";
}

Kernel empty_kernel(const std::string& design, const Matrix& matrix, Dtype dtype) {
  Kernel kernel;
  kernel.design = design;
  kernel.dtype = dtype;
  kernel.rows = matrix.rows;
  kernel.cols = matrix.cols;
  kernel.nnz = matrix.nnz();
  return kernel;
}

/// An array of values; `source` is the canonical index of each, or -1.
Array value_array(const Matrix& matrix, Dtype dtype, const std::vector<std::int32_t>& source) {
  std::vector<double> values;
  for (const std::int32_t from : source) values.push_back(from < 0 ? 0 : matrix.value[from]);
  Array array;
  array.name = "value";
  array.type = dtype == Dtype::f32 ? ElementType::f32 : ElementType::f64;
  array.count = static_cast<std::int64_t>(values.size());
  array.bytes = to_bytes(values, dtype);
  array.value_source = source;
  return array;
}

}  // namespace

std::vector<std::byte> to_bytes(const std::vector<double>& numbers, Dtype dtype) {
  std::vector<std::byte> bytes(numbers.size() * number_type(dtype).bytes);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto narrow = static_cast<float>(numbers[i]);
    if (dtype == Dtype::f32) std::memcpy(&bytes[i * 4], &narrow, 4);
    if (dtype == Dtype::f64) std::memcpy(&bytes[i * 8], &numbers[i], 8);
  }
  return bytes;
}

std::vector<double> to_numbers(const std::vector<std::byte>& bytes, Dtype dtype) {
  std::vector<double> numbers(bytes.size() / number_type(dtype).bytes);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    float narrow = 0;
    if (dtype == Dtype::f32) {
      std::memcpy(&narrow, &bytes[i * 4], 4);
      numbers[i] = narrow;
    } else {
      std::memcpy(&numbers[i], &bytes[i * 8], 8);
    }
  }
  return numbers;
}

Kernel csr_kernel(const std::string& file, const Matrix& matrix, Dtype dtype, int threads,
                  int threads_a_row) {
  Kernel kernel = empty_kernel(file, matrix, dtype);
  kernel.source = preamble(dtype) + constant("ROWS", matrix.rows) +
                  constant("ENTRIES", matrix.nnz()) + kernel_file("csr_format.cuh") +
                  kernel_file(file);
  kernel.arrays.push_back(make_array("row_first", ElementType::i32, matrix.row_first));
  kernel.arrays.push_back(make_array("column", ElementType::i32, matrix.col));
  std::vector<std::int32_t> source(matrix.nnz());
  std::iota(source.begin(), source.end(), 0);
  kernel.arrays.push_back(value_array(matrix, dtype, source));
  const std::int64_t wanted = static_cast<std::int64_t>(matrix.rows) * threads_a_row;
  kernel.launches.push_back({"spmv", (wanted + threads - 1) / threads, threads});
  return kernel;
}

Kernel gather_kernel(std::int32_t rows, int stride) {
  Kernel kernel;
  kernel.design = "gather";
  kernel.rows = rows;
  kernel.cols = rows * stride;
  kernel.source = preamble(kernel.dtype) + constant("STRIDE", stride) + kernel_file("gather.cu");
  kernel.launches = {{"spmv", rows / 128, 128}};
  return kernel;
}

Kernel csr5_kernel(const Matrix& matrix, Dtype dtype) {
  constexpr std::int64_t items = 16, tile_entries = 32 * items;
  const std::int64_t nnz = matrix.nnz();
  const std::int64_t tiles = std::max<std::int64_t>(1, (nnz + tile_entries - 1) / tile_entries);
  std::vector<int> segment_row, open_at(nnz), tile_segment(tiles), column(tiles * tile_entries);
  std::vector<std::int32_t> source(tiles * tile_entries, -1);
  std::vector<unsigned> starts(32 * tiles);
  std::vector<std::uint16_t> segment(32 * tiles);
  std::vector<bool> begins(nnz);
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    if (matrix.row_length(row) == 0) continue;
    begins[matrix.row_first[row]] = true;
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz) {
      open_at[nz] = static_cast<int>(segment_row.size());
    }
    segment_row.push_back(row);
  }
  const auto open_before = [&](std::int64_t nz) {
    if (nz >= nnz) return static_cast<int>(segment_row.size()) - 1;
    return begins[nz] ? open_at[nz] - 1 : open_at[nz];
  };
  for (std::int64_t tile = 0; tile < tiles; ++tile) {
    tile_segment[tile] = open_before(tile * tile_entries);
    for (std::int64_t lane = 0; lane < 32; ++lane) {
      const std::int64_t first = tile * tile_entries + lane * items;
      const std::int64_t thread = tile * 32 + lane;
      segment[thread] = static_cast<std::uint16_t>(open_before(first) - tile_segment[tile]);
      for (std::int64_t k = 0; k < items && first + k < nnz; ++k) {
        const std::int64_t stored = tile * tile_entries + k * 32 + lane;
        column[stored] = matrix.col[first + k];
        source[stored] = static_cast<std::int32_t>(first + k);
        if (begins[first + k]) starts[thread] |= 1u << k;
      }
    }
  }
  Kernel kernel = empty_kernel("csr5", matrix, dtype);
  kernel.source = preamble(dtype) + constant("ROWS", matrix.rows) + constant("TILES", tiles) +
                  kernel_file("csr5.cu");
  kernel.arrays = {make_array("tile_segment", ElementType::i32, tile_segment),
                   make_array("starts", ElementType::u32, starts),
                   make_array("segment", ElementType::u16, segment),
                   make_array("segment_row", ElementType::i32, segment_row),
                   make_array("column", ElementType::i32, column),
                   value_array(matrix, dtype, source)};
  kernel.launches = {{"initialise", (matrix.rows + 127) / 128, 128},
                     {"spmv", (tiles + 3) / 4, 128}};
  kernel.adds_in_any_order = true;
  return kernel;
}

SpmvCase integer_case(const std::string& name, const Matrix& matrix, Dtype dtype,
                      const Scaling& scaling) {
  std::vector<double> x(matrix.cols), y(matrix.rows);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1 + static_cast<double>(i % 7);
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = scaling.beta == 0 ? std::numeric_limits<double>::quiet_NaN()
                             : 3 - static_cast<double>(i % 5);
  }
  SpmvCase made;
  made.name = name;
  made.x = to_bytes(x, dtype);
  made.y = to_bytes(y, dtype);
  made.scaling = scaling;
  return made;
}

Matrix large_stencil(int grid) {
  Matrix matrix;
  matrix.rows = matrix.cols = grid * grid;
  matrix.row_first.push_back(0);
  for (int row = 0; row < matrix.rows; ++row) {
    for (const int step : {-grid, -1, 0, 1, grid}) {
      const int col = row + step;
      const bool wraps = (step == -1 && row % grid == 0) || (step == 1 && col % grid == 0);
      if (col < 0 || col >= matrix.cols || wraps) continue;
      matrix.col.push_back(col);
      matrix.value.push_back(0);
    }
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  return with_integer_values(matrix);
}

Matrix with_integer_values(Matrix matrix) {
  for (std::size_t i = 0; i < matrix.value.size(); ++i) {
    matrix.value[i] = 1 + static_cast<double>(i * 5 % 9);
  }
  return matrix;
}

}  // namespace alphasparse
