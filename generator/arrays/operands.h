// operands: the numbers that a kernel multiplies and adds up.
#pragma once
#include <cstdint>

#include "base/target.h"
#include "generator/arrays/number_type.h"

namespace alphasparse {

inline constexpr int vectors_most = 64;

/// Y = alpha * A * X + beta * Y: the type of all numbers, the columns of X and Y, and the language
/// in which a kernel for GPUs says it.
struct Operands {
  Operands(Dtype type, int columns = 1, Dialect language = Dialect::cuda)
      : dtype(type), vectors(columns), pass_columns(columns), dialect(language) {}

  Dtype dtype;
  int vectors = 1;       ///< columns of X and Y
  int pass_columns = 1;  ///< of them that one pass over A takes; they divide `vectors`
  Dialect dialect = Dialect::cuda;
  bool stores_reals = true;  ///< a complex type's kernel of a real matrix stores real values

  bool is_complex() const { return number_type(dtype).is_complex(); }
  /// Bytes of an element of x, of y and of a sum in a kernel.
  std::int64_t element_bytes() const {
    return std::int64_t{number_type(dtype).bytes} * pass_columns;
  }
  /// An element of x, and a sum, is a `Value` in a kernel's text. Whether a stored value is a part
  /// of one alone: a `Real`.
  bool has_parts() const { return vectors > 1 || (is_complex() && stores_reals); }
  /// The names of a stored value, and of one a lane.
  const char* value_type() const { return has_parts() ? "Real" : "Value"; }
  const char* lanes_type() const { return has_parts() ? "Reals" : "Lanes"; }
  /// The type of numbers that x, y, alpha and beta have in memory.
  const char* memory_type() const { return vectors > 1 ? "Real" : "Value"; }
  const char* product_formula() const {
    return vectors == 1 ? "y = alpha * A * x + beta * y" : "Y = alpha * A * X + beta * Y";
  }
  /// The folder of fragments in the place of those of one vector of reals, below these.
  const char* fragment_folder() const {
    return is_complex() ? "complex/" : vectors > 1 ? "packs/" : "";
  }
};

}  // namespace alphasparse
