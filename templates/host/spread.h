// spread: X and Y of a program out of one x and y. Column k is the vector over 2^k.
#pragma once
#include <limits>
#include <vector>

namespace alphasparse::host {

inline std::vector<Value> spread(const std::vector<Value>& vector) {
  std::vector<Value> rows;
  for (Value number : vector)
    for (int k = 0; k < vectors; ++k, number /= 2) rows.push_back(number);
  return rows;
}

/// The vector of such rows; NaN in those where a column is not as it should be.
inline std::vector<Value> gathered(const std::vector<Value>& rows) {
  std::vector<Value> vector;
  for (std::size_t row = 0; row < rows.size(); row += vectors) {
    bool alike = true;
    Value number = rows[row];
    for (int k = 0; k < vectors; ++k, number /= 2) alike &= rows[row + k] == number;
    vector.push_back(alike ? rows[row] : std::numeric_limits<Value>::quiet_NaN());
  }
  return vector;
}

}  // namespace alphasparse::host
