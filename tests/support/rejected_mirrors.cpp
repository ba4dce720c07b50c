// rejected_mirrors: operators that do not apply where one triangle of a symmetric matrix is kept.
#include "tests/support/battery.h"
#include "tests/support/rejected_cases.h"

namespace alphasparse {

std::vector<RejectedCase> rejected_mirrors() {
  /// a b, but c a: only its pattern is symmetric.
  static const Matrix other_values = from_rows(2, {{{0, 1.}, {1, 2.}}, {{0, 3.}, {1, 1.}}});
  return {
      {"symmetric_half",
       "symmetric_half: the matrix is neither symmetric nor skew-symmetric in its pattern and "
       "values"},
      {"symmetric_half",
       "symmetric_half: the matrix is neither symmetric nor skew-symmetric in its pattern and "
       "values",
       other_values},
      {"symmetric_half",
       "symmetric_half: the matrix is neither symmetric nor skew-symmetric in its pattern and "
       "values",
       one_row},
      {"reorder by=rcm x=gathered | symmetric_half",
       "symmetric_half: x is gathered, so columns do not name rows of y any more", mirror},
      {"symmetric_half | reorder by=rcm x=gathered",
       "reorder: mirror images are added to the rows that columns name; use x=kept", mirror},
      {"symmetric_half | symmetric_half", "symmetric_half: only one triangle is left already",
       mirror},
      {"compress | thread_rows rows=1 | symmetric_half",
       "symmetric_half: positions cannot go once a level is cut", mirror},
      {"bin_rows at=2 { symmetric_half } { symmetric_half }",
       "branch 1: symmetric_half: a branch need not have the mirror images of its non-zeros; put "
       "it before the split",
       mirror},
  };
}

}  // namespace alphasparse
