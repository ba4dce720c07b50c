// csr_kernels: kernels written by hand over plain CSR, for the tests of the devices that run them.
#pragma once
#include <string>
#include <vector>

#include "generator/arrays/kernel.h"
#include "generator/arrays/matrix.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// The kernel of tests/kernels/`file` for a matrix: arrays row_first, column and value, `ROWS` and
/// `ENTRIES` as constants of the source, kernel `spmv`, enough blocks of `threads` for
/// `threads_a_row` threads a row.
Kernel csr_kernel(const std::string& file, const Matrix& matrix, Dtype dtype, int threads,
                  int threads_a_row);

/// The kernel of tests/kernels/csr5.cu: tiles of 32 x 16 entries, two launches, atomics at the
/// tiles' edges.
Kernel csr5_kernel(const Matrix& matrix, Dtype dtype);

/// The kernel of tests/kernels/gather.cu: no arrays; `rows` is a multiple of 128, x has rows *
/// stride entries.
Kernel gather_kernel(std::int32_t rows, int stride);

/// An array of the given elements.
template <class T>
Array make_array(const std::string& name, ElementType type, const std::vector<T>& elements) {
  Array array;
  array.name = name;
  array.type = type;
  array.count = static_cast<std::int64_t>(elements.size());
  const auto* bytes = reinterpret_cast<const std::byte*>(elements.data());
  array.bytes.assign(bytes, bytes + elements.size() * sizeof(T));
  return array;
}

/// Numbers as elements of the dtype, and back.
std::vector<std::byte> to_bytes(const std::vector<double>& numbers, Dtype dtype);
std::vector<double> to_numbers(const std::vector<std::byte>& bytes, Dtype dtype);

/// The five-point stencil on a grid x grid square, values 1 to 9.
Matrix large_stencil(int grid);

/// x and y of small integers: every sum of the battery's matrices is exact in float.
SpmvCase integer_case(const std::string& name, const Matrix& matrix, Dtype dtype,
                      const Scaling& scaling);

/// The values of a matrix replaced by small integers; the kernels here then give exact results.
Matrix with_integer_values(Matrix matrix);

}  // namespace alphasparse
