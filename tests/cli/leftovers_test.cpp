// ctest label: emulator
// cli_leftovers: TMPDIR is as it was after every command, however that ended.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <filesystem>
#include <string>

#include "tests/support/cli.h"
#include "tests/support/processes.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

struct CliLeftovers : ::testing::Test {
  CliLeftovers() {
    fs::create_directory(folder / "tmp");
    set_contents(folder / "m.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3\n");
  }

  bool is_empty() const { return fs::is_empty(folder / "tmp"); }

  std::string list() const {
    return run_command("ls -R '" + (folder / "tmp").string() + "'").output;
  }

  TestFolder folder;
};

TEST_F(CliLeftovers, NothingIsLeftByCommandsThatEnd) {
  for (const char* command : {"emit m.mtx --design csr-scalar --device cpu:1 -o out",
                              "emit m.mtx --design csr-scalar --device emulated -o out",
                              "tune m.mtx --device cpu:1 --trials 2 --db t.db -o out", "doctor",
                              "emit m.mtx --design nonsense --device cpu:1 -o out"}) {
    run_cli(folder, command, "env TMPDIR=tmp ALPHASPARSE_CACHE=cache");
    EXPECT_TRUE(is_empty()) << command << "\n" << list();
  }
}

TEST_F(CliLeftovers, NothingIsLeftByCommandsThatAreEnded) {
  // A compiler that has begun a file of its own and never ends.
  set_contents(folder / "slow",
               "#!/bin/sh\ncase \" $* \" in *-shared*) echo x >\"$TMPDIR/cc1.s\"; touch begun; "
               "sleep 60;; esac\nexec g++ \"$@\"\n");
  fs::permissions(folder / "slow", fs::perms::owner_all);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
    const pid_t command = start_command(
        folder.path().string(),
        fmt::format("env TMPDIR=tmp ALPHASPARSE_CACHE=none ALPHASPARSE_CXX=./slow '{}' emit m.mtx "
                    "--design csr-scalar --device cpu:1 -o out >/dev/null 2>&1",
                    cli_program()));
    EXPECT_TRUE(comes_true([&] { return list().find("cc1.s") != std::string::npos; })) << list();
    kill(command, signal);
    waitpid(command, nullptr, 0);
    EXPECT_TRUE(comes_true([&] { return is_empty(); })) << signal << "\n" << list();
  }
}

TEST_F(CliLeftovers, TheNextRunRemovesWhatNobodyHolds) {
  fs::create_directories(folder / "tmp/alphasparse-run-AbC123/deep");
  fs::create_directory(folder / "tmp/alphasparse-run-held00");
  set_contents(folder / "tmp/alphasparse-run-AbC123/.alphasparse", "");
  set_contents(folder / "tmp/alphasparse-run-held00/.alphasparse", "");
  fs::create_directory(folder / "tmp/alphasparse-run-thesis");
  fs::create_directory(folder / "tmp/alphasparse-run-mine");
  set_contents(folder / "tmp/alphasparse-run-file00", "mine");
  fs::create_directory_symlink(folder / "tmp/alphasparse-run-mine",
                               folder / "tmp/alphasparse-run-link00");
  const CommandOutcome outcome = run_command(
      fmt::format("cd '{}' && flock -s tmp/alphasparse-run-held00 env TMPDIR=tmp '{}' emit m.mtx "
                  "--design csr-scalar --device cpu:1 -o out",
                  folder.path().string(), cli_program()));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_FALSE(fs::exists(folder / "tmp/alphasparse-run-AbC123"));
  for (const char* kept : {"held00", "mine", "thesis", "file00", "link00"})
    EXPECT_TRUE(fs::exists(folder / fmt::format("tmp/alphasparse-run-{}", kept))) << kept;
}

}  // namespace
}  // namespace alphasparse
