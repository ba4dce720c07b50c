// child_process_test: children that end well, badly, too late and not at all.
#include "runtime/system/processes/child_process.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "tests/support/files.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

ChildResult shell(const std::string& script, ChildOptions options = {}) {
  return run_child({"sh", "-c", script}, options);
}

/// A process that is not dead; its new parent may not have reaped it.
bool runs(int process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  stat >> number >> name >> state;
  return stat && state != "Z" && state != "X";
}

TEST(ChildProcess, HandsBackWhatItPrints) {
  const ChildResult result = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.end, ChildEnd::exited);
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.errors, "err\n");
  EXPECT_FALSE(result.succeeded());
  EXPECT_EQ(result.how_it_ended(), "exit status 3");
}

TEST(ChildProcess, DropsWhatIsTooMuch) {
  ChildOptions options;
  options.output_bytes_max = 1000;
  const ChildResult result = shell("head -c 1000000 /dev/zero", options);
  EXPECT_TRUE(result.succeeded());
  EXPECT_EQ(result.output.size(), 1000u);
}

// The child stops the process that waits for it, for longer than that would wait.
TEST(ChildProcess, AStopOfTheOneThatWaitsIsNoWait) {
  const pid_t one = fork();
  if (one == 0) {
    ChildOptions options;
    options.seconds_max = 3;
    _exit(shell("kill -STOP $PPID; sleep 4; kill -CONT $PPID; sleep 1", options).succeeded() ? 0
                                                                                             : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(one, &status, 0), one);
  EXPECT_EQ(status, 0);
}

TEST(ChildProcess, SaysWhichSignalEndedIt) {
  const ChildResult result = shell("kill -SEGV $$");
  EXPECT_EQ(result.end, ChildEnd::killed);
  EXPECT_EQ(result.code, SIGSEGV);
  EXPECT_NE(result.how_it_ended().find("signal 11"), std::string::npos);
}

TEST(ChildProcess, SaysWhyItWasNotStarted) {
  const ChildResult result = run_child({"/nowhere/program"}, {});
  EXPECT_EQ(result.end, ChildEnd::not_started);
  EXPECT_EQ(result.code, ENOENT);
  EXPECT_NE(result.how_it_ended().find("cannot be started"), std::string::npos);
}

TEST(ChildProcess, IsKilledWithAllThatItStarted) {
  ChildOptions options;
  options.seconds_max = 0.2;
  const ChildResult result = shell("sleep 30 & echo $!; wait", options);
  EXPECT_EQ(result.end, ChildEnd::timed_out);
  EXPECT_LT(result.seconds, 10);
  const int grandchild = std::stoi(result.output);
  for (int tries = 0; tries < 100 && runs(grandchild); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_FALSE(runs(grandchild));
}

TEST(ChildProcess, IsKilledWhenItHasUsedItsProcessorTime) {
  ChildOptions options;
  options.cpu_seconds_max = 1;
  const ChildResult busy = shell("while :; do :; done", options);
  EXPECT_EQ(busy.end, ChildEnd::timed_out);
  EXPECT_LT(busy.cpu_seconds, 3);
  EXPECT_TRUE(shell("sleep 1.5", options).succeeded()) << "waiting uses none";
}

TEST(ChildProcess, IsKilledAtTheDeadline) {
  std::atomic<bool> stop = false;
  ChildOptions options;
  options.deadline.stop = &stop;
  std::thread setter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop = true;
  });
  const ChildResult stopped = shell("sleep 30", options);
  setter.join();
  EXPECT_EQ(stopped.end, ChildEnd::timed_out);
  EXPECT_LT(stopped.seconds, 10);

  options.deadline = {Deadline::Clock::now() + std::chrono::milliseconds(50), nullptr};
  const ChildResult late = shell("sleep 30", options);
  EXPECT_EQ(late.end, ChildEnd::timed_out);
  EXPECT_LT(late.seconds, 10);
}

TEST(ChildProcess, IsKilledWhenItHasClosedItsStreams) {
  ChildOptions options;
  options.seconds_max = 0.2;
  const ChildResult result = shell("exec >&- 2>&-; sleep 30", options);
  EXPECT_EQ(result.end, ChildEnd::timed_out);
}

TEST(ChildProcess, KeepsToItsMemory) {
  ChildOptions options;
  options.memory_bytes_max = std::int64_t{256} << 20;
  EXPECT_TRUE(shell("true", options).succeeded());
  EXPECT_FALSE(shell("head -c 1000000000 /dev/zero | tail", options).succeeded());
}

TEST(ChildProcess, RunsInTheFolderThatItIsGiven) {
  ChildOptions options;
  options.folder = "/proc";
  EXPECT_EQ(shell("pwd", options).output, "/proc\n");
  options.folder = "/nowhere";
  EXPECT_EQ(shell("pwd", options).end, ChildEnd::not_started);
}

/// A folder with an executable file `thing`, in which we are, and PATH as it was when it is over.
class Paths : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::current_path(folder_.path());
    fs::create_directory(folder_ / "bin");
    for (const char* name : {"thing", "bin/thing", "text"})
      set_contents(folder_ / name, "#!/bin/sh\necho \"$0 $PATH\"\n");
    for (const char* name : {"thing", "bin/thing"})
      fs::permissions(folder_ / name, fs::perms::owner_all);
    fs::create_directory(folder_ / "bin/folder");
  }
  void TearDown() override {
    fs::current_path(before_);
    setenv("PATH", path_.c_str(), 1);
  }

  TestFolder folder_;
  fs::path before_ = fs::current_path();
  std::string path_ = std::getenv("PATH");
};

TEST_F(Paths, RelativeAndEmptyEntriesNameNoProgram) {
  for (const char* path : {"", ".", "bin", ":", "/usr/bin:", ":/usr/bin", "/nowhere::bin", "./"}) {
    setenv("PATH", path, 1);
    EXPECT_EQ(find_program("thing"), std::nullopt) << path;
    const ChildResult result = run_child({"thing"}, {});
    EXPECT_EQ(result.end, ChildEnd::not_started) << path;
    EXPECT_EQ(result.code, ENOENT) << path;
  }
  unsetenv("PATH");
  EXPECT_EQ(run_child({"thing"}, {}).code, ENOENT);
}

TEST_F(Paths, AbsoluteEntriesDoAndChildrenHaveTheseAlone) {
  const std::string bin = (folder_ / "bin").string();
  setenv("PATH", fmt::format(".::{}:bin", bin).c_str(), 1);
  EXPECT_EQ(find_program("thing"), bin + "/thing");
  EXPECT_EQ(find_program("folder"), std::nullopt);
  EXPECT_EQ(run_child({"thing"}, {}).output, fmt::format("{0}/thing {0}\n", bin));
  setenv("PATH", ".", 1);
  EXPECT_EQ(run_child({bin + "/thing"}, {}).output, bin + "/thing /usr/bin:/bin\n");
}

TEST_F(Paths, ANamedPathIsMadeAbsolute) {
  EXPECT_EQ(find_program("./thing"), (folder_.path() / "./thing").string());
  ChildOptions elsewhere;
  elsewhere.folder = "/";
  EXPECT_TRUE(run_child({"bin/thing"}, elsewhere).succeeded());
  EXPECT_EQ(run_child({"./text"}, {}).code, EACCES);
  EXPECT_EQ(run_child({"./folder"}, {}).code, ENOENT);
}

}  // namespace
}  // namespace alphasparse
