// places: words of a command, paths that begin with a tilde, and a processor's description of
// itself.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "runtime/system/files/home.h"
#include "runtime/system/machine/processor.h"
#include "runtime/system/processes/shell_tokens.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

TEST(ShellWords, AreThoseOfAShell) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(shell_tokens("g++"), Words({"g++"}));
  EXPECT_EQ(shell_tokens("  ccache\tg++ -m64 "), Words({"ccache", "g++", "-m64"}));
  EXPECT_EQ(shell_tokens("'/a b/g++' \"-DX=1 2\" ''"), Words({"/a b/g++", "-DX=1 2", ""}));
  EXPECT_EQ(shell_tokens("a\\ b 'c\\d' \"e\\\"f\\g\""), Words({"a b", "c\\d", "e\"f\\g"}));
  EXPECT_EQ(shell_tokens(""), Words());
  EXPECT_EQ(shell_tokens("g++ '-DX"), std::nullopt);
  EXPECT_EQ(shell_tokens("\"g++"), std::nullopt);
}

TEST(Home, StandsForATilde) {
  setenv("HOME", "/home/me", 1);
  EXPECT_EQ(without_tilde("~"), "/home/me");
  EXPECT_EQ(without_tilde("~/x/y"), "/home/me/x/y");
  for (const char* other : {"", "x", "/x", "~x", "./~/x", "x/~"})
    EXPECT_EQ(without_tilde(other), other);
  for (const char* none : {"", "~", "home"}) {
    setenv("HOME", none, 1);
    EXPECT_EQ(home_folder(), std::nullopt) << none;
    EXPECT_EQ(without_tilde("~/x"), std::nullopt) << none;
    EXPECT_EQ(without_tilde("x"), "x");
  }
}

TEST(Processor, IsToldByAllThatCodeHangsOn) {
  const TestFolder folder;
  const std::string core = "processor\t: 0\nmodel name\t: CPU of 2026\ncpu MHz\t\t: 2000.1\n";
  set_contents(folder / "full", core + "flags\t\t: fpu avx2 vaes\n");
  set_contents(folder / "less", core + "flags\t\t: fpu avx2\n");
  set_contents(folder / "arm", "Features\t: fp sve\nCPU part\t: 0xd40\n\nCPU part\t: 0xd41\n");
  const auto text = [&](const char* file) { return processor_text(folder / file); };
  EXPECT_NE(text("full"), text("less"));
  EXPECT_EQ(text("full").find("MHz"), std::string::npos) << "it changes from minute to minute";
  EXPECT_NE(text("arm").find("sve"), std::string::npos);
  EXPECT_NE(text("arm").find("0xd41"), std::string::npos);
  set_contents(folder / "twice", contents(folder / "full") + "\n" + contents(folder / "full"));
  EXPECT_EQ(text("full"), text("twice"));
  EXPECT_FALSE(processor_text().empty());
}

}  // namespace
}  // namespace alphasparse
