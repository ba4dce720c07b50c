// triangle: the one triangle that a symmetric, skew-symmetric or Hermitian matrix stores.
#pragma once
#include <cstdint>
#include <string>

#include "runtime/matrices/assemble.h"

namespace alphasparse {

/// Why the diagonal entry of this row cannot be, if it is not its own image (is_own_image).
std::string diagonal_complaint(Mirror mirror, std::int32_t row);

/// Counts the entries of a matrix in compressed columns, and finds those that should not be there.
class Triangle {
 public:
  explicit Triangle(Mirror mirror) : mirror_(mirror) {}

  /// Why this entry cannot be, after those before; empty: it can.
  std::string complaint(std::int32_t row, std::int32_t col);

  /// Throws Error (exit 2) where entries and mirror images are more than `most`.
  void check_expanded(std::int64_t most, const std::string& name) const;

 private:
  Mirror mirror_;
  std::int64_t above_ = 0, below_ = 0, diagonal_ = 0;
};

}  // namespace alphasparse
