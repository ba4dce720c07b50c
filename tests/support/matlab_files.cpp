#include "tests/support/matlab_files.h"

#include <zlib.h>

#include <cstring>

#include "base/result.h"

namespace alphasparse {

namespace {

constexpr std::uint32_t int8 = 1, int32 = 5, uint32 = 6, float64 = 9, matrix = 14, compressed = 15;

template <class T>
std::string raw(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

using Words = std::vector<std::uint32_t>;
using Extents = std::vector<std::int32_t>;

std::string head(std::uint32_t flags, std::uint32_t entries, const Extents& extents,
                 const std::string& name) {
  return matlab_element(uint32, raw(Words{flags, entries})) + matlab_element(int32, raw(extents)) +
         matlab_element(int8, name);
}

std::string zlib_packed(const std::string& bytes) {
  uLongf length = compressBound(bytes.size());
  std::string packed(length, '\0');
  CHECK(compress(reinterpret_cast<Bytef*>(packed.data()), &length,
                 reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) == Z_OK);
  packed.resize(length);
  return packed;
}

}  // namespace

std::string matlab_element(std::uint32_t type, const std::string& bytes) {
  std::string element = raw(Words{type, static_cast<std::uint32_t>(bytes.size())}) + bytes;
  if (type != compressed) element.resize((element.size() + 7) / 8 * 8, '\0');
  return element;
}

std::string matlab_sparse(const std::string& name, std::int32_t rows, std::int32_t cols,
                          const std::vector<std::int32_t>& row,
                          const std::vector<std::int32_t>& first, const std::vector<double>& value,
                          std::uint32_t flags, const std::vector<double>& imag) {
  return matlab_element(matrix,
                        head(flags, static_cast<std::uint32_t>(row.size()), {rows, cols}, name) +
                            matlab_element(int32, raw(row)) + matlab_element(int32, raw(first)) +
                            matlab_element(float64, raw(value)) +
                            (imag.empty() ? "" : matlab_element(float64, raw(imag))));
}

std::string matlab_dense(const std::string& name, std::int32_t rows, std::int32_t cols) {
  const std::vector<double> zeros(static_cast<std::size_t>(rows) * cols);
  return matlab_element(matrix,
                        head(6, 0, {rows, cols}, name) + matlab_element(float64, raw(zeros)));
}

std::string matlab_struct(const std::string& name,
                          const std::vector<std::pair<std::string, std::string>>& fields) {
  constexpr std::uint16_t width = 32, short_bytes = 4;
  std::string names, bodies;
  for (const auto& [field, body] : fields) {
    names += field + std::string(width - field.size(), '\0');
    bodies += body;
  }
  const std::string short_width =
      raw(std::vector<std::uint16_t>{int32, short_bytes}) + raw(Extents{width});
  return matlab_element(
      matrix, head(2, 0, {1, 1}, name) + short_width + matlab_element(int8, names) + bodies);
}

std::string matlab_file(const std::vector<std::string>& variables, bool packed) {
  std::string file = "MATLAB 5.0 MAT-file, made by a test";
  file.resize(124, ' ');
  file += std::string("\x00\x01IM", 4);
  for (const std::string& variable : variables)
    file += packed ? matlab_element(compressed, zlib_packed(variable)) : variable;
  return file;
}

}  // namespace alphasparse
