// bad_columns: kernels with coded columns, each spoiled so that it would read outside x, though
// every stored integer lies where those of its array may.
#pragma once
#include <string>
#include <vector>

#include "generator/arrays/kernel.h"
#include "generator/arrays/matrix.h"

namespace alphasparse {

struct BadColumn {
  std::string what;    ///< "packed: base"
  Kernel kernel;       ///< its arrays are spoiled, its facts are not
  std::string reason;  ///< a regular expression for the expected message
};

/// The matrix that the kernels are made from.
Matrix matrix_of_bad_columns();

std::vector<BadColumn> bad_columns();

}  // namespace alphasparse
