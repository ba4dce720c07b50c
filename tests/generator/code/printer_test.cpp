// printer and slots: the text of nested slots, and the values that nothing reads.
#include "generator/code/printer.h"

#include <gtest/gtest.h>

namespace alphasparse {
namespace {

Slot loop_of(const std::string& index, const Code& first, const Code& end, const Code& step = {}) {
  Slot slot;
  slot.kind = Slot::Kind::loop;
  slot.loop = {index, first, end, step};
  return slot;
}

Slot guard_of(const Code& condition) {
  Slot slot;
  slot.kind = Slot::Kind::guard;
  slot.condition = condition;
  return slot;
}

TEST(Printer, SpellsLoopsGuardsAndStatements) {
  std::vector<Slot> slots = {loop_of("row", "$first", "$end", "64"), guard_of("$row < 9")};
  slots[0].before.push_back(local("Value", "total", "0", "Of all rows."));
  slots[1].bind("const int", "column", "$f.column($row)");
  slots[1].after.push_back({"", "$total", "$x[$column]", "$column >= 0", "", true});
  slots[0].after.push_back(call("store($out, $row, $total)"));
  const Code text = printed(slots, 1);
  EXPECT_EQ(text.text(),
            "  for (int row = first; row < end; row += 64) {\n"
            "    // Of all rows.\n"
            "    Value total = 0;\n"
            "    if (row < 9) {\n"
            "      const int column = f.column(row);\n"
            "      if (column >= 0) total += x[column];\n"
            "    }\n"
            "    store(out, row, total);\n"
            "  }\n");
  EXPECT_TRUE(text.reads("first") && text.reads("f") && text.reads("out"));
}

TEST(Printer, AFunctorTakesLinesOfItsOwnWhereItIsTooLong) {
  const auto text_of = [](const std::string& result) {
    std::vector<Slot> slots(1);
    slots[0].bind("const auto", "row_of",
                  code("[&](int segment) {{\v  return {};\v}}", Code::plain(result)));
    return printed(slots, 1).text();
  };
  EXPECT_EQ(text_of("segment"), "  const auto row_of = [&](int segment) { return segment; };\n");
  const std::string is_long(80, 's');
  EXPECT_EQ(text_of(is_long),
            "  const auto row_of = [&](int segment) {\n    return " + is_long + ";\n  };\n");
}

TEST(Slots, ValuesThatNothingReadsAreDroppedInTurn) {
  std::vector<Slot> slots(2);
  slots[0].bind("const int", "a", "1");
  slots[0].bind("const int", "b", "$a + 1");
  slots[1].bind("const int", "c", "$b");
  slots[1].bind("const auto", "row_of", code("[&](int b) {{ return {}; }}", "$b").binding({"b"}));
  slots[1].after.push_back(call("$row_of(3)"));
  EXPECT_EQ(printed(without_unread(slots), 0).text(),
            "const auto row_of = [&](int b) { return b; };\nrow_of(3);\n");
}

TEST(Slots, AnElseKeepsTheValuesThatItReads) {
  std::vector<Slot> slots = {Slot(), guard_of("$few"), Slot()};
  slots[0].bind("const bool", "few", "true");
  slots[0].bind("const int", "row", "7");
  slots[1].otherwise.resize(1);
  slots[1].otherwise[0].bind("const int", "unread", "$row");
  slots[1].otherwise[0].after.push_back(call("long_row($row)"));
  EXPECT_EQ(printed(without_unread(slots), 0).text(),
            "const bool few = true;\n"
            "const int row = 7;\n"
            "if (few) {\n"
            "} else {\n"
            "  long_row(row);\n"
            "}\n");
}

}  // namespace
}  // namespace alphasparse
