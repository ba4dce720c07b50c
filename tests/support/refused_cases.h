// refused_cases: reasons why an operator does not apply that tests/golden/refusals.txt does not
// have, in their words, and a design for each.
// Each subject has a table in a file of its own.
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

std::vector<RefusedCase> refused_lines();
std::vector<RefusedCase> refused_cuts();
std::vector<RefusedCase> refused_reductions();
std::vector<RefusedCase> refused_sinks();
std::vector<RefusedCase> refused_mirrors();

/// Those of all subjects.
const std::vector<RefusedCase>& refused_cases();

}  // namespace alphasparse
