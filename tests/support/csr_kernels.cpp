#include "tests/support/csr_kernels.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <string_view>

#include "generator/result.h"
#include "templates/templates.h"

namespace alphasparse {

namespace {

std::string kernel_file(const std::string& name) {
  std::ifstream in(std::string(ALPHASPARSE_SOURCE_DIR) + "/tests/kernels/" + name);
  CHECK(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::vector<std::byte> to_bytes(const std::vector<double>& numbers, Dtype dtype) {
  std::vector<std::byte> bytes(numbers.size() * dtype_bytes(dtype));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto narrow = static_cast<float>(numbers[i]);
    if (dtype == Dtype::f32) std::memcpy(&bytes[i * 4], &narrow, 4);
    if (dtype == Dtype::f64) std::memcpy(&bytes[i * 8], &numbers[i], 8);
  }
  return bytes;
}

std::vector<double> to_numbers(const std::vector<std::byte>& bytes, Dtype dtype) {
  std::vector<double> numbers(bytes.size() / dtype_bytes(dtype));
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

std::string kernel_source(const std::string& file, Dtype dtype, std::int64_t rows,
                          std::int64_t entries) {
  std::string text = "#define ALPHASPARSE_VALUE " + std::string(dtype_cuda_name(dtype)) + "\n";
  text += template_text("fragments/prelude.cuh");
  text += "constexpr int ROWS = " + std::to_string(rows) + ";\n";
  text += "constexpr int ENTRIES = " + std::to_string(entries) + ";\n";
  return text + kernel_file("csr_format.cuh") + kernel_file(file);
}

Kernel csr_kernel(const std::string& file, const Matrix& matrix, Dtype dtype, int threads,
                  int threads_a_row) {
  Kernel kernel;
  kernel.design = file;
  kernel.dtype = dtype;
  kernel.rows = matrix.rows;
  kernel.cols = matrix.cols;
  kernel.nnz = matrix.nnz();
  kernel.source = kernel_source(file, dtype, matrix.rows, matrix.nnz());
  kernel.arrays.push_back(make_array("row_first", ElementType::i32, matrix.row_first));
  kernel.arrays.push_back(make_array("column", ElementType::i32, matrix.col));
  Array value;
  value.name = "value";
  value.type = dtype == Dtype::f32 ? ElementType::f32 : ElementType::f64;
  value.count = matrix.nnz();
  value.bytes = to_bytes(matrix.value, dtype);
  for (std::int32_t i = 0; i < matrix.nnz(); ++i) value.value_source.push_back(i);
  kernel.arrays.push_back(value);
  const std::int64_t wanted = static_cast<std::int64_t>(matrix.rows) * threads_a_row;
  kernel.launches.push_back({"spmv", (wanted + threads - 1) / threads, threads});
  return kernel;
}

SpmvCase integer_case(const std::string& name, const Matrix& matrix, Dtype dtype, double alpha,
                      double beta) {
  std::vector<double> x(matrix.cols), y(matrix.rows);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1 + static_cast<double>(i % 7);
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = beta == 0 ? std::numeric_limits<double>::quiet_NaN() : 3 - static_cast<double>(i % 5);
  }
  SpmvCase made;
  made.name = name;
  made.x = to_bytes(x, dtype);
  made.y = to_bytes(y, dtype);
  made.alpha = alpha;
  made.beta = beta;
  return made;
}

Matrix with_integer_values(Matrix matrix) {
  for (std::size_t i = 0; i < matrix.value.size(); ++i) {
    matrix.value[i] = 1 + static_cast<double>(i * 5 % 9);
  }
  return matrix;
}

}  // namespace alphasparse
