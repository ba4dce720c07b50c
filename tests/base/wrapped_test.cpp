// wrapped: where long lines of code are broken.
#include "base/wrapped.h"

#include <gtest/gtest.h>

#include <string>

namespace alphasparse {
namespace {

const std::string name(60, 'n'), shorter(40, 's');

TEST(Wrapped, ShortLinesStay) { EXPECT_EQ(wrapped(1, "return a + b;"), "  return a + b;\n"); }

TEST(Wrapped, ListsBreakBetweenTheirParts) {
  EXPECT_EQ(wrapped(0, shorter + "(f(a, b), " + shorter + ", " + shorter + ");"),
            shorter + "(f(a, b), " + shorter + ",\n    " + shorter + ");\n");
  EXPECT_EQ(wrapped(1, shorter + "(f(" + shorter + ", " + shorter + "), b);"),
            "  " + shorter + "(f(" + shorter + ",\n      " + shorter + "), b);\n");
}

TEST(Wrapped, ItBreaksInTheFewestBrackets) {
  EXPECT_EQ(wrapped(1, "const int a = f(" + name + ", " + std::string(28, 'b') + ");"),
            "  const int a =\n      f(" + name + ", " + std::string(28, 'b') + ");\n");
  EXPECT_EQ(wrapped(1, "return 2 * {1 + " + name + "} + " + name + ";"),
            "  return 2 * {1 + " + name + "} +\n      " + name + ";\n");
  EXPECT_EQ(wrapped(0, "if (" + name + " && " + name + ") {"),
            "if (" + name + " &&\n    " + name + ") {\n");
}

TEST(Wrapped, AStatementBehindItsConditionGetsALine) {
  EXPECT_EQ(wrapped(0, "if (" + shorter + ") " + name + ";"),
            "if (" + shorter + ")\n  " + name + ";\n");
}

TEST(Wrapped, ArgumentsOfATemplateStayTogether) {
  EXPECT_EQ(wrapped(0, shorter + "<3, 3>(" + shorter + ", b, " + shorter + ");"),
            shorter + "<3, 3>(" + shorter + ", b,\n    " + shorter + ");\n");
}

TEST(Wrapped, TextsInQuotesStayWhole) {
  EXPECT_EQ(wrapped(0, "f(" + shorter + ", \"" + shorter + ", " + shorter + "\");"),
            "f(" + shorter + ",\n    \"" + shorter + ", " + shorter + "\");\n");
}

TEST(Documented, CommentsStandInOneColumnOrAboveTheirLines) {
  EXPECT_EQ(documented(1, {{"int a;", "// one"}, {"long bc;", "// two"}, {"f();", ""}}),
            "  int a;    // one\n  long bc;  // two\n  f();\n");
  const std::string doc = "// " + std::string(80, 'd');
  EXPECT_EQ(documented(1, {{"int a;", "// one"}, {"long the_longest;", doc}, {"int b;", "// b"}}),
            "  int a;  // one\n  " + doc + "\n  long the_longest;\n  int b;  // b\n");
}

TEST(Wrapped, CommentsAreLinesOfWords) {
  EXPECT_EQ(wrapped(0, "// " + name + " " + name), "// " + name + "\n// " + name + "\n");
}

TEST(Wrapped, LinesWithoutAPlaceToBreakStay) {
  EXPECT_EQ(wrapped(0, name + name), name + name + "\n");
}

}  // namespace
}  // namespace alphasparse
