// code: pieces of kernel text, and the names that they read.
#include "base/code.h"

#include <gtest/gtest.h>

namespace alphasparse {
namespace {

using Names = std::vector<std::string>;

TEST(Code, ALiteralMarksTheNamesThatItReads) {
  const Code sum = "$row * 32 + $lane % 32 + $row";
  EXPECT_EQ(sum.text(), "row * 32 + lane % 32 + row");
  EXPECT_EQ(sum.reads(), (Names{"lane", "row"}));
  EXPECT_FALSE(Code("threadIdx.x").reads("x"));
}

TEST(Code, ReadsTravelWithThePieces) {
  const Code index = code("{} + {}", Code::named("row"), 1);
  const Code entry = code("$f.value({}) * {}[{}]", index, "$x", std::string("column"));
  EXPECT_EQ(entry.text(), "f.value(row + 1) * x[column]");
  EXPECT_EQ(entry.reads(), (Names{"f", "row", "x"}));
  EXPECT_EQ(joined({index, "$lane"}, ", ").text(), "row + 1, lane");
  EXPECT_EQ(joined({index, "$lane"}, ", ").reads(), (Names{"lane", "row"}));
}

TEST(Code, TextInABraceIsNoLiteral) {
  EXPECT_EQ(code("{}", std::string("a $b {}")).text(), "a $b {}");
  EXPECT_TRUE(code("{}", std::string("a $b {}")).reads().empty());
}

TEST(Code, AFunctorsArgumentIsNotReadOutside) {
  const Code functor = code("[&](int row) {{ return {}; }}", "$row + $first").binding({"row"});
  EXPECT_EQ(functor.text(), "[&](int row) { return row + first; }");
  EXPECT_EQ(functor.reads(), Names{"first"});
}

}  // namespace
}  // namespace alphasparse
