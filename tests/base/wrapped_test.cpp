// wrapped: where long lines of code are broken.
#include "base/wrapped.h"

#include <gtest/gtest.h>

#include <string>

namespace alphasparse {
namespace {

const std::string name(60, 'n');

TEST(Wrapped, ShortLinesStay) { EXPECT_EQ(wrapped(1, "return a + b;"), "  return a + b;\n"); }

TEST(Wrapped, LongLinesBreakBehindTheOutermostComma) {
  EXPECT_EQ(wrapped(0, name + "(f(a, b), " + name + ");"),
            name + "(f(a, b),\n    " + name + ");\n");
}

TEST(Wrapped, SumsBreakWhereNothingElseDoes) {
  EXPECT_EQ(wrapped(1, "return 2 * {1 + " + name + "} + " + name + ";"),
            "  return 2 * {1 + " + name + "} +\n      " + name + ";\n");
  EXPECT_EQ(wrapped(0, name + "(a, " + name + " + b);"), name + "(a,\n    " + name + " + b);\n");
}

TEST(Wrapped, LinesWithoutAPlaceToBreakStay) {
  EXPECT_EQ(wrapped(0, name + name), name + name + "\n");
}

}  // namespace
}  // namespace alphasparse
