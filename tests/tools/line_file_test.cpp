// line_file_test: lines of several processes in one file, and files that are of others.
#include "tools/console/line_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "base/result.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

bool begins_as_one(std::string_view line) { return line.starts_with("{1"); }

struct LineFiles : ::testing::Test {
  void add(const std::string& line) { LineFile(name, begins_as_one).add(line); }

  void expect_refused(const std::string& file, const std::string& reason) {
    try {
      LineFile(file, begins_as_one).add("{1}");
      FAIL() << file;
    } catch (const Error& error) {
      EXPECT_TRUE(contains(error.what(), reason)) << error.what();
    }
  }

  TestFolder folder;
  const std::string name = (folder / "lines").string();
};

TEST_F(LineFiles, LinesAreAdded) {
  add("{1}");
  add("{1 2}");
  EXPECT_EQ(contents(name), "{1}\n{1 2}\n");
}

TEST_F(LineFiles, ATornLineStaysAndTheNextBeginsFresh) {
  set_contents(name, "{1}\n{1 to");
  add("{1 2}");
  EXPECT_EQ(contents(name), "{1}\n{1 to\n{1 2}\n");
}

TEST_F(LineFiles, OtherFilesStayAsTheyAre) {
  for (const std::string text : {"thesis", "{1}\n{2}\n", "{1}\n\n{1}\n", "\n"}) {
    set_contents(name, text);
    expect_refused(name, "has other lines than those that are added to it");
    EXPECT_EQ(contents(name), text);
  }
  expect_refused("/dev/null", "is no regular file");
  expect_refused(folder.path().string(), "Is a directory");
}

TEST_F(LineFiles, AFileBehindALinkGetsTheLinesAndTheLinkStays) {
  std::filesystem::create_symlink("target", name);
  for (int i = 0; i < 2; ++i) add("{1}");
  EXPECT_TRUE(std::filesystem::is_symlink(name));
  EXPECT_EQ(contents(folder / "target"), "{1}\n{1}\n");
}

TEST_F(LineFiles, TheFileOfAStreamIsRefused) {
  const pid_t child = fork();
  if (child == 0) {
    if (!std::freopen(name.c_str(), "w", stdout)) _exit(2);
    try {
      LineFile(name, begins_as_one);
    } catch (const Error&) {
      _exit(0);
    }
    _exit(1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(LineFiles, ALineThatDoesNotFitLeavesNothing) {
  add("{1}");
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100, 100};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      add("{1" + std::string(200, 'x'));
    } catch (const Error& error) {
      _exit(error.code() == ExitCode::no_device ? 0 : 2);
    }
    _exit(1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(contents(name), "{1}\n");
}

TEST_F(LineFiles, LinesOfSeveralProcessesAreWhole) {
  constexpr int writers = 4, lines = 100;
  for (int writer = 0; writer < writers; ++writer) {
    if (fork() != 0) continue;
    LineFile file(name, begins_as_one);
    for (int i = 0; i < lines; ++i)
      file.add(fmt::format("{{1 {} {} {}", writer, i, std::string(10'000, 'x')));
    _exit(0);
  }
  for (int status = 0; wait(&status) > 0;) EXPECT_EQ(status, 0);
  std::set<std::pair<int, int>> found;
  std::istringstream text(contents(name));
  for (std::string line; std::getline(text, line);) {
    int writer = -1, i = -1;
    ASSERT_EQ(std::sscanf(line.c_str(), "{1 %d %d x", &writer, &i), 2) << line.substr(0, 99);
    EXPECT_EQ(line, fmt::format("{{1 {} {} {}", writer, i, std::string(10'000, 'x')));
    found.emplace(writer, i);
  }
  EXPECT_EQ(found.size(), std::size_t{writers} * lines);
}

}  // namespace
}  // namespace alphasparse
