// wrapped: where long lines of code are broken, as clang-format breaks them.
#include "base/wrapped.h"

#include <gtest/gtest.h>

#include <string>

namespace alphasparse {
namespace {

const std::string name(60, 'n'), shorter(40, 's');

TEST(Wrapped, ShortLinesStay) { EXPECT_EQ(wrapped(1, "return a + b;"), "  return a + b;\n"); }

TEST(Wrapped, ListsGoOnBelowTheirFirstPart) {
  EXPECT_EQ(wrapped(0, shorter + "(f(a, b), " + shorter + ", " + shorter + ");"),
            shorter + "(f(a, b), " + shorter + ",\n" + std::string(41, ' ') + shorter + ");\n");
}

TEST(Wrapped, ListsWithoutRoomThereBeginOnALineOfTheirOwn) {
  EXPECT_EQ(wrapped(0, name + "(f(a, b), " + name + ");"),
            name + "(\n    f(a, b), " + name + ");\n");
}

TEST(Wrapped, AssignmentsBreakBehindTheirSignWhereTheRestFits) {
  EXPECT_EQ(wrapped(1, "const int a = f(" + name + ", " + std::string(28, 'b') + ");"),
            "  const int a =\n      f(" + name + ", " + std::string(28, 'b') + ");\n");
}

TEST(Wrapped, AStatementBehindItsConditionGetsALine) {
  EXPECT_EQ(wrapped(0, "if (" + shorter + ") " + name + ";"),
            "if (" + shorter + ")\n  " + name + ";\n");
}

TEST(Wrapped, SumsAndProductsOfAResultStandBelowEachOther) {
  EXPECT_EQ(wrapped(1, "return 2 * {1 + " + name + "} + " + name + ";"),
            "  return 2 * {1 + " + name + "} +\n         " + name + ";\n");
  EXPECT_EQ(wrapped(0, "return " + name + " * " + shorter + ";"),
            "return " + name + " *\n       " + shorter + ";\n");
}

TEST(Wrapped, ConditionsBreakBehindTheirSign) {
  EXPECT_EQ(wrapped(0, "if (" + name + " && " + name + ") {"),
            "if (" + name + " &&\n    " + name + ") {\n");
}

TEST(Wrapped, SixPartsInBracesStandInColumns) {
  EXPECT_EQ(wrapped(1,
                    "const Format f{value_, column_, thread_first_nz_, thread_first_row_, "
                    "row_first_nz_, carry_row_, carry_first_, carry_};"),
            "  const Format f{value_,        column_,    thread_first_nz_, thread_first_row_,\n"
            "                 row_first_nz_, carry_row_, carry_first_,     carry_};\n");
}

TEST(Wrapped, CommentsAreLinesOfWords) {
  EXPECT_EQ(wrapped(0, "// " + name + " " + name), "// " + name + "\n// " + name + "\n");
}

TEST(Wrapped, LinesWithoutAPlaceToBreakStay) {
  EXPECT_EQ(wrapped(0, name + name), name + name + "\n");
}

}  // namespace
}  // namespace alphasparse
