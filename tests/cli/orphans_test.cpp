// ctest label: emulator
// orphans: all processes of a search end with it, however it ends; and events that do not end one.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/cli.h"
#include "tests/support/processes.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct CliOrphans : ::testing::Test {
  CliOrphans() {
    std::string text = "%%MatrixMarket matrix coordinate real general\n400 400 1200\n";
    for (int entry = 0; entry < 1200; ++entry)
      text += fmt::format("{} {} {}\n", entry % 400 + 1, entry * 7 % 400 + 1, entry % 9 + 1);
    set_contents(folder / "m.mtx", text);
    fs::create_directory(folder / "tmp");
    // A compiler that starts another process, as g++ does, and waits for it for ever.
    set_contents(folder / "slow", fmt::format("#!/bin/sh\ncase \" $* \" in *-shared*) sleep 300 & "
                                              "touch '{}'; wait;; esac\nexec g++ \"$@\"\n",
                                              (folder / "begun").string()));
    fs::permissions(folder / "slow", fs::perms::owner_all);
  }

  /// Starts a command; all that it starts has the mark in its environment.
  pid_t start(const std::string& environment, const std::string& arguments) const {
    return start_command(
        folder.path().string(),
        fmt::format("env {} TMPDIR='{}/tmp' ALPHASPARSE_CACHE='{}/cache' {} '{}' {}", mark(),
                    folder.path().string(), folder.path().string(), environment, cli_program(),
                    arguments));
  }

  std::string mark() const { return "ORPHANS_MARK=" + folder.path().string(); }

  std::vector<std::string> alive() const {
    std::vector<std::string> names;
    for (const pid_t process : processes_with(mark())) {
      const std::string name = process_name(process);
      if (!name.empty()) names.push_back(name);
    }
    return names;
  }

  bool has(const std::string& name) const {
    const auto names = alive();
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  std::string alive_text() const {
    std::string text;
    for (const std::string& name : alive()) text += name + " ";
    return text;
  }

  void expect_nothing_left() const {
    EXPECT_TRUE(comes_true([&] { return alive().empty(); }, 5)) << alive_text();
    EXPECT_TRUE(comes_true([&] { return fs::is_empty(folder / "tmp"); }, 5));
  }

  TestFolder folder;
};

const char* const endless = "tune m.mtx --time 300 --db t.db -o o --device ";

TEST_F(CliOrphans, CompilersAndTheirChildrenEndWithTheProgram) {
  for (const char* device : {"cpu:1", "emulated:h200"}) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGKILL, SIGSEGV}) {
      fs::remove(folder / "begun");
      const pid_t program = start(
          "ALPHASPARSE_CXX=" + (folder / "slow").string(),
          std::string("emit m.mtx --design csr-scalar -o o --device ") + device + " >o.txt 2>&1");
      const bool begins = comes_true([&] { return fs::exists(folder / "begun") && has("sleep"); });
      if (!begins) kill(program, SIGKILL);
      EXPECT_TRUE(begins) << device << contents(folder / "o.txt");
      kill(program, signal);
      waitpid(program, nullptr, 0);
      SCOPED_TRACE(fmt::format("{}, signal {}", device, signal));
      expect_nothing_left();
    }
  }
}

TEST_F(CliOrphans, WorkersAndEmulatorsEndWithTheProgram) {
  for (const char* device : {"cpu:1", "emulated:h200"}) {
    const std::string db = "rm -f t.db*; true";
    run_command("cd '" + folder.path().string() + "' && " + db);
    const pid_t program = start("", std::string(endless) + device + " >o.txt 2>&1");
    EXPECT_TRUE(comes_true([&] { return alive().size() > 2; })) << alive_text();
    kill(program, SIGKILL);
    waitpid(program, nullptr, 0);
    SCOPED_TRACE(device);
    expect_nothing_left();
  }
}

TEST_F(CliOrphans, AWorkersCompilersEndWithTheWorker) {
  const pid_t program =
      start("ALPHASPARSE_CXX=" + (folder / "slow").string(), "doctor >o.txt 2>&1");
  ASSERT_TRUE(comes_true([&] { return has("sleep"); })) << alive_text();
  std::vector<pid_t> compilers;  // and their children: others follow
  for (const pid_t process : processes_with(mark())) {
    const std::string name = process_name(process);
    if (name == "sleep" || name == "slow") compilers.push_back(process);
    if (name != "slow") continue;
    // The worker is the parent of the compiler.
    const std::string status = contents(fmt::format("/proc/{}/status", process));
    kill(std::stoi(status.substr(status.find("PPid:") + 5)), SIGKILL);
  }
  const auto are_gone = [&] {
    return std::all_of(compilers.begin(), compilers.end(),
                       [](pid_t process) { return process_name(process).empty(); });
  };
  EXPECT_TRUE(comes_true(are_gone, 5)) << alive_text();
  kill(program, SIGKILL);
  waitpid(program, nullptr, 0);
  expect_nothing_left();
}

TEST_F(CliOrphans, ASearchEndsWithItsLifeline) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const int reader = fcntl(ends[0], F_DUPFD, 50), writer = fcntl(ends[1], F_DUPFD_CLOEXEC, 50);
  close(ends[0]);
  close(ends[1]);
  const pid_t program = start(fmt::format("ALPHASPARSE_LIFELINE={}", reader),
                              std::string(endless) + "cpu:1 >o.txt 2>&1");
  close(reader);
  ASSERT_TRUE(comes_true([&] { return alive().size() > 2; })) << alive_text();
  close(writer);
  // A second, and more for a machine that has other work.
  EXPECT_TRUE(comes_true([&] { return waitpid(program, nullptr, WNOHANG) == program; }, 5));
  kill(-program, SIGKILL);
  expect_nothing_left();
}

TEST_F(CliOrphans, WhatIsNoPipeIsNoLifeline) {
  for (const char* number : {"0", "57", "-1", "x", "9"}) {
    const CliOutcome outcome = run_cli(
        folder, "operators", fmt::format("exec 9</dev/null; ALPHASPARSE_LIFELINE={}", number));
    EXPECT_EQ(outcome.status, 0) << number << outcome.err;
  }
}

TEST_F(CliOrphans, NeitherHangupsNorStreamsEndASearch) {
  const std::string tune = fmt::format(
      "'{}' tune m.mtx --trials 3 --device cpu:1 --json --quiet --db t.db -o o", cli_program());
  const std::string places =
      "cd '" + folder.path().string() + "' && export ALPHASPARSE_CACHE=cache; ";
  const auto expect_result = [&](const std::string& command) {
    fs::remove(folder / "t.db");
    fs::remove(folder / "told");
    const CommandOutcome outcome = run_command(places + command);
    EXPECT_EQ(outcome.status, 0) << command << outcome.output;
    const json result = json::parse(contents(folder / "told"), nullptr, false);
    ASSERT_TRUE(result.is_object()) << command << contents(folder / "told");
    EXPECT_EQ(result["interrupted"], false) << command;
  };
  expect_result(tune + " <&- >told");
  expect_result("setsid -w " + tune + " </dev/null >told");
  // Signals that nohup ignores stay ignored, for workers too.
  expect_result(
      fmt::format("trap '' HUP; {} >told & p=$!; for n in 1 2 3 4 5 6; do sleep 0.2; "
                  "for q in $p $(pgrep -P $p); do kill -HUP $q 2>/dev/null; "
                  "done; done; wait $p",
                  tune));
}

/// In a job of the background that its terminal stops where it writes (stty tostop) or reads.
TEST_F(CliOrphans, ABackgroundJobIsNotStopped) {
  if (run_command("command -v python3").status != 0) GTEST_SKIP() << "no python3 for a terminal";
  set_contents(folder / "job.sh",
               fmt::format("set -m; stty tostop; '{}' tune m.mtx --trials 3 --device cpu:1 --json "
                           "--db t.db -o o >told & wait $!; echo ended $? >end\n",
                           cli_program()));
  const CommandOutcome outcome = run_command(
      fmt::format("cd '{}' && export ALPHASPARSE_CACHE=cache; timeout 100 python3 -c \"import pty; "
                  "pty.spawn(['bash', 'job.sh'])\" </dev/null",
                  folder.path().string()));
  EXPECT_EQ(contents(folder / "end"), "ended 0\n") << outcome.output;
}

}  // namespace
}  // namespace alphasparse
