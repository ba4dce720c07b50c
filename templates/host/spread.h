// spread: products of a program with X and Y out of one x and y. Column k is the vector over 2^k.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

namespace alphasparse::host {

/// Whether X and Y of the products that follow lie by columns.
static bool by_columns = false;

/// Where row `row` of column k lies, of `rows` rows.
inline std::size_t index_of(std::size_t row, int k, std::size_t rows) {
  return by_columns ? k * rows + row : row * vectors + k;
}

/// Of a vector with `line` numbers more than it needs: the first at a multiple of 64 bytes.
constexpr int line = 64 / sizeof(Value);
inline Value* at_line(std::vector<Value>& vector) {
  const auto past = reinterpret_cast<std::uintptr_t>(vector.data()) % 64;
  return vector.data() + (64 - past) % 64 / sizeof(Value);
}

inline int multiply_all(const alphasparse_handle* handle, const void* x, void* y, double alpha,
                        double beta, CUstream_st* stream) {
  const alphasparse_kernel& kernel = *PREFIX_interface();
  return by_columns ? kernel.spmm_columns(handle, x, facts.cols, y, facts.rows, alpha, beta, stream)
                    : kernel.spmm(handle, x, vectors, y, vectors, alpha, beta, stream);
}

inline std::vector<Value> spread(const std::vector<Value>& vector) {
  std::vector<Value> all(vector.size() * vectors);
  for (std::size_t row = 0; row < vector.size(); ++row) {
    Value number = vector[row];
    for (int k = 0; k < vectors; ++k, number /= 2) all[index_of(row, k, vector.size())] = number;
  }
  return all;
}

/// The vector of such columns; NaN in rows where a column is not as it should be.
inline std::vector<Value> gathered(const std::vector<Value>& all) {
  std::vector<Value> vector(all.size() / vectors);
  for (std::size_t row = 0; row < vector.size(); ++row) {
    bool alike = true;
    Value number = vector[row] = all[index_of(row, 0, vector.size())];
    for (int k = 0; k < vectors; ++k, number /= 2)
      alike &= all[index_of(row, k, vector.size())] == number;
    if (!alike) vector[row] = std::numeric_limits<Value>::quiet_NaN();
  }
  return vector;
}

}  // namespace alphasparse::host
