// commands: the lines of commands in emitted files, pages and answers are data for every shell,
// whichever names the files have, and so are literals for a compiler.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "base/printable.h"
#include "generator/text/host_text.h"
#include "generator/text/standalone.h"
#include "tests/support/files.h"
#include "tests/support/sample_kernel.h"
#include "tests/support/standalone_sample.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

/// Each would leave a file `touched` if a shell read it as more than a name.
const std::vector<std::string> hostile_names = {
    "plain",
    "a b",
    "'; touch touched; '",
    "\"; touch touched; \"",
    "'\"; touch touched; \"'",
    "$(touch touched)",
    "`touch touched`",
    "${IFS}x",
    "; touch touched; #",
    "& touch touched &",
    "| touch touched",
    "> touched",
    "a\\",
    "a\\ b",
    "a\\\\",
    "a\\'; touch touched #",
    "-a",
    "--help",
    "~",
    "*",
    "?[a]",
    "{a,b}",
    "!!",
    "a=b",
    "=a",
    "#",
    "%s%n",
    "*\\",
    "?\?\\",
    "a?\?",
    "\xc3\xa4\xe2\x82\xac",
    " ",
};

/// None of these may stand in a comment or on a terminal.
const std::vector<std::string> unshown_names = {"x\n';touch touched;#",
                                                "a\ttab",
                                                "a\x1b[31m",
                                                "a\rb",
                                                "a\x7f",
                                                "\xff",
                                                "a\xe2\x80\xae"
                                                "b",
                                                "\\\nint touched;",
                                                "a\n#error touched\\\n"};

/// The text of a head's line that begins with this word.
std::string line_of(const std::string& text, const std::string& word) {
  const std::string mark = fmt::format("//   {:<9}", word);
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) return "";
  return text.substr(at + mark.size(), text.find('\n', at) - at - mark.size());
}

TEST(Literals, AreReadAsTheSameText) {
  EXPECT_EQ(write_literal("a \"b\" 'c' \\"), R"("a \"b\" 'c' \\")");
  EXPECT_EQ(write_literal("1\n2\xff"), R"("1\0122\377")");
  EXPECT_EQ(write_literal("?/ ?\?/ ?\?\?"), R"("?/ ?\?/ ?\?\?")") << "no trigraph";
  EXPECT_EQ(write_literal(""), R"("")");
}

struct Commands : ::testing::Test {
  Commands() {
    fs::create_directory(folder / "bin");
    for (const char* const program : {"alphasparse", "g++", "nvcc"})
      set_program(folder / "bin" / program);
  }

  /// A program that writes its words into the file `words`, each with a bar behind it.
  static void set_program(const fs::path& path) {
    set_contents(path, "#!/bin/sh\nprintf '%s|' \"$@\" > \"$WORDS\"\n");
    fs::permissions(path, fs::perms::all);
  }

  /// The words that the command's program gets from a shell in a folder of nothing else.
  std::string words_by(const std::string& shell, const std::string& command,
                       const std::string& program) {
    fs::remove_all(folder / "place");
    fs::create_directory(folder / "place");
    fs::remove(folder / "words");
    if (!program.empty()) set_program(folder / "place" / program);
    set_contents(folder / "command", command + "\n");
    const CommandOutcome outcome = run_command(fmt::format(
        "cd '{0}/place' && PATH='{0}/bin':$PATH WORDS='{0}/words' HOME=/ {1} ../command",
        folder.path().string(), shell));
    EXPECT_EQ(outcome.status, 0) << shell << ": " << command << "\n" << outcome.output;
    for (const auto& file : fs::directory_iterator(folder / "place"))
      EXPECT_EQ(file.path().filename().string(), program) << shell << ": " << command;
    return fs::exists(folder / "words") ? contents(folder / "words") : "";
  }

  TestFolder folder;
};

/// Those of the shells that are installed.
std::vector<std::string> shells() {
  std::vector<std::string> there;
  for (const std::string shell : {"dash", "bash", "busybox sh", "zsh", "ksh"}) {
    if (run_command(shell + " -c :").status == 0)
      there.push_back(shell);
    else
      std::printf("%s is not installed: no line was read by it\n", shell.c_str());
  }
  return there;
}

TEST_F(Commands, AreTheSameWordsForEveryShell) {
  const Kernel kernel = sample_kernel(small(), Dtype::f32);
  const Fingerprints prints = fingerprints(small());
  ASSERT_GE(hostile_names.size(), 30U);
  for (const std::string& shell : shells()) {
    for (const std::string& name : hostile_names) {
      StandaloneInfo info = {name, "in/" + name + ".mtx", prints};
      info.device = info.requested_name = name;
      const std::string text = standalone_source(kernel, info);
      const std::string file = (name.starts_with('-') ? "./" : "") + name;
      EXPECT_EQ(words_by(shell, line_of(text, "remake"), ""),
                fmt::format("emit|in/{0}.mtx|--device|{0}|--name={0}|--design|{1}|--dtype|f32|",
                            name, kernel.design));
      EXPECT_EQ(words_by(shell, line_of(text, "build"), ""),
                fmt::format("-std=c++17|-O3|-arch=sm_90|-DALPHASPARSE_MAIN|{0}.cu|-o|{0}|", file));
      EXPECT_EQ(words_by(shell, line_of(text, "run"), name), file + ".safetensors|");
      EXPECT_EQ(
          words_by(shell, build_command(find_spelling(Target::cpu), "", name + ".cpp", name), ""),
          fmt::format("-std=c++17|-O3|-march=native|-fopenmp|-DALPHASPARSE_MAIN|{0}.cpp|-o|{0}|",
                      file));
      const std::string alone = line_of(kernels_source(kernel, info), "build");
      EXPECT_EQ(words_by(shell, alone.substr(0, alone.rfind(", or NVRTC")), ""),
                fmt::format("-std=c++17|-arch=sm_90|-cubin|{}.kernel.cu|", file));
    }
  }
}

TEST_F(Commands, OfNamesThatNoLineShowsAreNotWritten) {
  const Kernel kernel = sample_kernel(small(), Dtype::f32);
  const std::string none = "none, for a name with characters that no line shows: rename the file";
  for (const std::string& name : unshown_names) {
    const StandaloneInfo info = {name, name + ".mtx", fingerprints(small())};
    const std::string text = standalone_source(kernel, info);
    for (const char* const word : {"remake", "build", "run"})
      EXPECT_EQ(line_of(text, word), none) << printable(name);
    EXPECT_EQ(line_of(kernels_source(kernel, info), "build"), none + ", or NVRTC with --std=c++17");
    EXPECT_EQ(build_command(find_spelling(Target::cpu), "", name, name), none);
  }
}

// -E alone tells of lines that are joined and of comments inside comments.
TEST_F(Commands, LeaveNoCommentWithAnyName) {
  const Kernel kernel = sample_kernel(small(), Dtype::f32);
  std::vector<std::string> names = hostile_names;
  names.insert(names.end(), unshown_names.begin(), unshown_names.end());
  for (const std::string& name : names) {
    StandaloneInfo info = {name, "*/" + name + "/*/?\?/", fingerprints(small())};
    info.prefix = "m";
    info.compiled_by = name + "?\?/";
    info.checked_by = name + "\\ ";
    set_contents(folder / "m.cc", standalone_source(kernel, info));
    set_contents(folder / "m.h", standalone_header(kernel, info));
    set_contents(folder / "alphasparse_kernel.h", std::string(kernel_header()));
    const CommandOutcome outcome = run_command(
        fmt::format("cd '{}' && g++ -std=c++17 -trigraphs -Wall -Wextra -Werror -I "
                    "'{}/tests/standalone' -E m.cc -o m.ii "
                    "&& ! grep touched m.ii && "
                    "gcc -std=c89 -pedantic-errors -Wall -Wextra -Werror -fsyntax-only m.h",
                    folder.path().string(), ALPHASPARSE_SOURCE_DIR));
    EXPECT_EQ(outcome.status, 0) << printable(name) << "\n" << outcome.output;
  }
}

}  // namespace
}  // namespace alphasparse
