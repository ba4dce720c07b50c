// printable: characters that a terminal or a comment must not be given are gone, and all others
// stay.
#include "base/printable.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace alphasparse {
namespace {

TEST(Printable, LeavesTextAsItIs) {
  for (const std::string text : {"", "m.mtx", "Größe µ 数 🙂", "a  b", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(printable_lines(text), text);
    EXPECT_EQ(printable_json(text), text);
  }
}

TEST(Printable, NoControlCharacterNorOneOfDirectionPasses) {
  std::string controls;
  for (int code = 0; code < 0x20; ++code) controls += static_cast<char>(code);
  EXPECT_EQ(printable(controls + "\x7f"), std::string(33, '?'));
  for (const std::string text :
       {"\xc2\x80", "\xc2\x9b", "\xc2\x9f",                              // C1
        "\xd8\x9c", "\xe2\x80\x8e", "\xe2\x80\x8f",                      // marks
        "\xe2\x80\xaa", "\xe2\x80\xab", "\xe2\x80\xac", "\xe2\x80\xad",  // embeddings, overrides
        "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa7", "\xe2\x81\xa8",  // isolates
        "\xe2\x81\xa9", "\xe2\x80\xa8", "\xe2\x80\xa9"})                 // separators
    EXPECT_EQ(printable("a" + text + "b"), "a?b");
  EXPECT_EQ(printable("\xc2\xa0"), "\xc2\xa0") << "the first behind C1";
}

TEST(Printable, WhatIsNoUtf8IsReplacedByteByByte) {
  EXPECT_EQ(printable("\xff"), "?");
  EXPECT_EQ(printable("\x9b[31m"), "?[31m") << "C1 as a byte";
  EXPECT_EQ(printable("\xc3"), "?");
  EXPECT_EQ(printable("\xe2\x82"), "??");
  EXPECT_EQ(printable("\xc0\x8a"), "??") << "a line's end, too long";
  EXPECT_EQ(printable("\xe0\x80\x8a"), "???");
  EXPECT_EQ(printable("\xed\xa0\x80"), "???") << "a surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "????") << "beyond Unicode";
  EXPECT_EQ(printable("\xc3g"), "?g");
}

TEST(Printable, LinesKeepTheirEnds) {
  EXPECT_EQ(printable_lines("a\n\tb\x1b[2J\r\n"), "a\n\tb?[2J?\n");
}

TEST(Printable, JsonSaysTheSame) {
  const nlohmann::json value = {{"name", "a\xe2\x80\xae\x1b\x7f\xc2\x9b\n"}, {"more", {1, "x"}}};
  for (const int indent : {-1, 2}) {
    const std::string shown = printable_json(value.dump(indent));
    EXPECT_EQ(nlohmann::json::parse(shown), value);
    EXPECT_EQ(printable_lines(shown), shown);
  }
}

}  // namespace
}  // namespace alphasparse
