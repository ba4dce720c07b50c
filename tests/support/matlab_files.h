// matlab_files: MATLAB 5 files for tests, made in memory.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace alphasparse {

/// An element: type, number of bytes, the bytes, filled up to eight.
std::string matlab_element(std::uint32_t type, const std::string& bytes);

/// A sparse variable of rows, first entries of columns and values; a name may be empty in a struct.
/// With the flag of complex values (0x800), their imaginary parts follow.
std::string matlab_sparse(const std::string& name, std::int32_t rows, std::int32_t cols,
                          const std::vector<std::int32_t>& row,
                          const std::vector<std::int32_t>& first, const std::vector<double>& value,
                          std::uint32_t flags = 5, const std::vector<double>& imag = {});

std::string matlab_dense(const std::string& name, std::int32_t rows, std::int32_t cols);

/// A struct of one element with these fields.
std::string matlab_struct(const std::string& name,
                          const std::vector<std::pair<std::string, std::string>>& fields);

/// The file of these variables; packed as MATLAB 7 does, or plain.
std::string matlab_file(const std::vector<std::string>& variables, bool packed = true);

}  // namespace alphasparse
