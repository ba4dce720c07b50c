#include "tests/support/sample_kernel.h"

#include <fmt/format.h>

#include <cstring>
#include <numeric>

namespace alphasparse {

namespace {

constexpr int threads = 128;

template <class T, class From>
Array array_of(const char* name, ElementType type, const std::vector<From>& from, const char* doc) {
  Array array;
  array.name = name;
  array.type = type;
  array.count = static_cast<std::int64_t>(from.size());
  array.doc = doc;
  const std::vector<T> entries(from.begin(), from.end());
  array.bytes.resize(entries.size() * sizeof(T));
  if (!entries.empty()) std::memcpy(array.bytes.data(), entries.data(), array.bytes.size());
  return array;
}

Array row_offsets(const Matrix& matrix) {
  const char* doc = "first non-zero of each row, and the end of the last one";
  const std::int64_t nnz = matrix.nnz();
  return nnz <= 65535
             ? array_of<std::uint16_t>("row_first_nz", ElementType::u16, matrix.row_first, doc)
             : array_of<std::int32_t>("row_first_nz", ElementType::i32, matrix.row_first, doc);
}

Array values(const Matrix& matrix, Dtype dtype) {
  const char* doc = "values, row by row";
  Array array = dtype == Dtype::f32
                    ? array_of<float>("value", ElementType::f32, matrix.value, doc)
                    : array_of<double>("value", ElementType::f64, matrix.value, doc);
  array.value_source.resize(matrix.value.size());
  std::iota(array.value_source.begin(), array.value_source.end(), 0);
  return array;
}

constexpr const char* sample_source = R"(// csr-scalar: one thread a row.
using Value = {value};

/// y = alpha * A * x + beta * y. beta == 0 never reads y.
struct Output {{
  Value* __restrict__ y;
  Value alpha, beta;
}};

struct Format {{
  const {offset}* row_first_nz_;
  const int* column_;
  const {value}* value_;
}};

extern "C" __global__ void __launch_bounds__({threads})
    spmv(const {offset}* __restrict__ row_first_nz_, const int* __restrict__ column_,
         const {value}* __restrict__ value_, const Value* __restrict__ x, Value* __restrict__ y,
         Value alpha, Value beta) {{
  const Format f{{row_first_nz_, column_, value_}};
  const Output out{{y, alpha, beta}};
  const int row = blockIdx.x * {threads} + threadIdx.x;
  if (row >= {rows}) return;
  Value sum = 0;
  for (int nz = f.row_first_nz_[row]; nz < int(f.row_first_nz_[row + 1]); ++nz) {{
    sum += f.value_[nz] * x[f.column_[nz]];
  }}
  out.y[row] = out.alpha * sum + (out.beta == 0 ? Value(0) : out.beta * out.y[row]);
}}
)";

}  // namespace

Kernel sample_kernel(const Matrix& matrix, Dtype dtype) {
  Kernel kernel;
  kernel.design =
      "compress | thread_rows rows=1 | thread_total | global_store | launch threads=128";
  kernel.dtype = dtype;
  kernel.rows = matrix.rows;
  kernel.cols = matrix.cols;
  kernel.nnz = matrix.nnz();
  kernel.arrays.push_back(row_offsets(matrix));
  kernel.arrays.push_back(
      array_of<std::int32_t>("column", ElementType::i32, matrix.col, "column of each value"));
  kernel.arrays.push_back(values(matrix, dtype));
  kernel.source = fmt::format(fmt::runtime(sample_source),
                              fmt::arg("offset", element_cuda_name(kernel.arrays[0].type)),
                              fmt::arg("value", number_type(dtype).c_name),
                              fmt::arg("threads", threads), fmt::arg("rows", matrix.rows));
  find_places(kernel);
  kernel.launches.push_back({"spmv", (matrix.rows + threads - 1) / threads, threads});
  return kernel;
}

void find_places(Kernel& kernel) {
  kernel.starts.clear();
  for (std::size_t at = kernel.source.find(kernel_linkage); at != std::string::npos;
       at = kernel.source.find(kernel_linkage, at + 1)) {
    kernel.starts.push_back({.comment = at, .declaration = at});
  }
}

}  // namespace alphasparse
