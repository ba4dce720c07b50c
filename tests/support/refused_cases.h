// refused_cases: every reason why an operator does not apply, in its words, and a design for each.
#pragma once
#include <vector>

#include "generator/arrays/matrix.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {

struct RefusedCase {
  const char* design;
  const char* reason;
  const Matrix& matrix = uneven;
};

const std::vector<RefusedCase>& refused_cases();

}  // namespace alphasparse
