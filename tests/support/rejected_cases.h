// rejected_cases: reasons why an operator does not apply that tests/golden/refusals.txt does not
// have, in their words, and a design for each.
// Each subject has a table in a file of its own.
#pragma once
#include <vector>

#include "generator/arrays/matrix.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {

struct RejectedCase {
  const char* design;
  const char* reason;
  const Matrix& matrix = uneven;
};

std::vector<RejectedCase> rejected_lines();
std::vector<RejectedCase> rejected_layouts();
std::vector<RejectedCase> rejected_reductions();
std::vector<RejectedCase> rejected_epilogues();
std::vector<RejectedCase> rejected_mirrors();

/// Those of all subjects.
const std::vector<RejectedCase>& rejected_cases();

}  // namespace alphasparse
