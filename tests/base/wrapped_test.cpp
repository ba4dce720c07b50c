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
  EXPECT_EQ(wrapped(0, "return a + " + name + " - " + shorter + ";"),
            "return a + " + name + " -\n       " + shorter + ";\n");
}

TEST(Documented, CommentsStandInOneColumnOrAboveTheirLines) {
  EXPECT_EQ(documented(1, {{"int a;", "// one"}, {"long bc;", "// two"}, {"f();", ""}}),
            "  int a;    // one\n  long bc;  // two\n  f();\n");
  const std::string doc = "// " + std::string(80, 'd');
  EXPECT_EQ(documented(1, {{"int a;", "// one"}, {"long the_longest;", doc}, {"int b;", "// b"}}),
            "  int a;  // one\n  " + doc + "\n  long the_longest;\n  int b;  // b\n");
}

TEST(Wrapped, APartThatIsAloneBreaksInItsOwnBrackets) {
  EXPECT_EQ(
      wrapped(1, "check(" + shorter + "(" + shorter + ", " + shorter + "));"),
      "  check(" + shorter + "(" + shorter + ",\n" + std::string(49, ' ') + shorter + "));\n");
}

TEST(Wrapped, ASumBreaksInPartsThatAreLongerThanALine) {
  EXPECT_EQ(wrapped(1, "return 8 * T{count(" + shorter + ", " + shorter + ")} + " + name + ";"),
            "  return 8 * T{count(" + shorter + ",\n" + std::string(21, ' ') + shorter + ")} +\n" +
                std::string(9, ' ') + name + ";\n");
  EXPECT_EQ(wrapped(1,
                    "return 8 * std::int64_t{entries_before(32 * gang, 6, [&](int diagonal) { "
                    "return f.diagonal_first_entry(diagonal); })} + 512 * std::int64_t{gang};"),
            "  return 8 * std::int64_t{entries_before(\n"
            "                 32 * gang, 6, [&](int diagonal) { return "
            "f.diagonal_first_entry(diagonal); })} +\n"
            "         512 * std::int64_t{gang};\n");
}

TEST(Wrapped, AnAssignmentBreaksInPartsThatAreLongerThanALine) {
  const std::string parts = "(" + shorter + ", g(" + name + ", " + name + "));";
  EXPECT_EQ(wrapped(0, "const int a = f" + parts), "const int a = f(" + shorter +
                                                       ",\n                g(" + name + ",\n" +
                                                       std::string(18, ' ') + name + "));\n");
  EXPECT_EQ(
      wrapped(2,
              "const Lanes<16> sum = clear(f.empty_lanes(warp), thread_total_mix<4>(0 + lane, "
              "0, first_single + lane, f.warp_first_single(warp + 1), 16, x, column_of, "
              "value_of, bits_of, term));"),
      "    const Lanes<16> sum =\n"
      "        clear(f.empty_lanes(warp),\n"
      "              thread_total_mix<4>(0 + lane, 0, first_single + lane, "
      "f.warp_first_single(warp + 1),\n"
      "                                  16, x, column_of, value_of, bits_of, term));\n");
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

TEST(Wrapped, AHeadWithALongNameBreaksBehindItsType) {
  const std::string name(80, 'n');
  EXPECT_EQ(wrapped(0, "extern \"C\" const alphasparse_kernel* " + name + "() {"),
            "extern \"C\" const alphasparse_kernel*\n" + name + "() {\n");
  EXPECT_EQ(wrapped(0, "extern \"C\" const char* " + name + "(int one, int two);"),
            "extern \"C\" const char*\n" + name + "(int one, int two);\n");
}

TEST(Wrapped, LinesWithoutAPlaceToBreakStay) {
  EXPECT_EQ(wrapped(0, name + name), name + name + "\n");
}

}  // namespace
}  // namespace alphasparse
