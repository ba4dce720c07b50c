// store_text: a store as `show --stage store` prints it - facts, arrays, and their meaning.
#include <gtest/gtest.h>

#include "generator/facts/contract.h"
#include "tests/support/battery.h"
#include "tests/support/design_steps.h"

namespace alphasparse {
namespace {

TEST(StoreText, ShowsFactsArraysAndWhatTheyAre) {
  // Rows of lengths 2, 0, 1, 3.
  const Matrix matrix =
      from_rows(4, {{{0, 1.}, {2, 2.}}, {}, {{1, 3.}}, {{0, 4.}, {1, 5.}, {3, 6.}}});
  const auto text_of = [&](const std::string& design, int entries) {
    return store_text(*apply_steps(matrix, design), entries);
  };
  const std::string text = text_of("compress | warp_rows rows=2 | thread_rows rows=1", 3);
  for (const char* line :
       {"4 rows, 4 columns, 6 non-zeros; 0 to 3 a row, mean 1.5; 1 rows empty\n",
        "warp level in the matrix level: 2 units of whole rows, 2 to 4 "
        "non-zeros each; at most 2 in "
        "one parent\n",
        "matrix.nz_col [6] = 0 2 1 ...\n    [nnz] column of each non-zero, logical "
        "order; in [0, cols), -1 for fill of an empty row\n",
        "warp.first_nz [3] = 0 2 6\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "is not in\n" << text;
  }
  EXPECT_NE(
      text_of("compress | thread_cols lanes=4", 3)
          .find("thread level in the matrix level: 4 lanes share each row, at most 1 non-zeros"),
      std::string::npos);
}

}  // namespace
}  // namespace alphasparse
