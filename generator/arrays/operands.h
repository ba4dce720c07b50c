// operands: the numbers that a kernel multiplies and adds up.
#pragma once
#include <cstdint>

#include "generator/arrays/number_type.h"

namespace alphasparse {

inline constexpr int vectors_most = 64;

/// Y = alpha * A * X + beta * Y: the type of all numbers, and the columns of X and Y.
struct Operands {
  Operands(Dtype type, int columns = 1) : dtype(type), vectors(columns), pass_columns(columns) {}

  Dtype dtype;
  int vectors = 1;       ///< columns of X and Y
  int pass_columns = 1;  ///< of them that one pass over A takes; they divide `vectors`

  /// Bytes of an element of x, of y and of a sum in a kernel.
  std::int64_t element_bytes() const {
    return std::int64_t{number_type(dtype).bytes} * pass_columns;
  }
  /// The names in a kernel's text of a stored value, and of one a lane. An element of x and a sum
  /// are a `Value`.
  const char* value_word() const { return vectors == 1 ? "Value" : "Real"; }
  const char* lanes_word() const { return vectors == 1 ? "Lanes" : "Reals"; }
  const char* product_formula() const {
    return vectors == 1 ? "y = alpha * A * x + beta * y" : "Y = alpha * A * X + beta * Y";
  }
  /// The folder of fragments in the place of those of one vector, below these.
  const char* fragment_folder() const { return vectors == 1 ? "" : "packs/"; }
};

}  // namespace alphasparse
