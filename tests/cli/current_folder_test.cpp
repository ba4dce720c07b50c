// ctest label: emulator
// cli_current_folder: no program, library or header is taken because it lies in the current folder.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

/// A folder of an attacker with programs, libraries and headers that we must not run.
struct CliCurrentFolder : ::testing::Test {
  CliCurrentFolder() {
    for (const char* name : {"g++", "cc1plus", "as", "ld", "collect2", "pkg-config", "sbatch",
                             "alphasparse-emulator"}) {
      set_contents(folder / name, fmt::format("#!/bin/sh\ntouch '{}'\nexit 1\n", mark.string()));
      fs::permissions(folder / name, fs::perms::owner_all);
    }
    set_contents(folder / "cmath", "#error planted\n");
    set_contents(
        folder / "planted.c",
        fmt::format("#include <stdio.h>\n__attribute__((constructor)) static void run(void)"
                    "{{ FILE* f = fopen(\"{}\", \"w\"); if (f) fclose(f); }}\n",
                    mark.string()));
    const CommandOutcome built = run_command(fmt::format(
        "cd '{}' && gcc -shared -fPIC -o libcuda.so.1 planted.c && "
        "for other in libnvrtc.so.13 libnvrtc.so.12 libnvrtc.so libm.so.6 libmkl_rt.so.2 "
        "libcusparse.so.12 libnvidia-ml.so.1 libgomp.so.1; do "
        "cp libcuda.so.1 $other; done",
        folder.path().string()));
    EXPECT_EQ(built.status, 0) << built.output;
    set_contents(folder / "m.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3\n");
  }

  void expect_nothing_ran(const std::string& arguments, const std::string& environment,
                          int status) {
    const CliOutcome outcome = run_cli(folder, arguments, "env " + environment);
    EXPECT_EQ(outcome.status, status) << environment << ": " << outcome.out << outcome.err;
    EXPECT_FALSE(fs::exists(mark)) << environment << " " << arguments;
    fs::remove(mark);
  }

  TestFolder folder;
  fs::path mark = folder / "it-ran";
};

TEST_F(CliCurrentFolder, IsNoPlaceForPrograms) {
  for (const char* path :
       {"-u PATH", "PATH=", "PATH=.", "PATH=:", "PATH=./:./.:", "PATH=/nowhere:"}) {
    expect_nothing_ran("doctor", path, 0);
    expect_nothing_ran("emit m.mtx --design csr-scalar --device cpu:1", path, 4);
    expect_nothing_ran("emit m.mtx --design csr-scalar --device emulated", path, 4);
  }
  const CliOutcome missing =
      run_cli(folder, "emit m.mtx --design csr-scalar --device cpu:1", "env PATH=.");
  EXPECT_EQ(
      missing.err,
      "alphasparse: error: kernels for CPUs need g++: g++: cannot be started: No such file or "
      "directory; install g++ 12 or later (Debian, Ubuntu: apt-get install g++; Fedora: dnf "
      "install "
      "gcc-c++), or name one in ALPHASPARSE_CXX\n");
}

TEST_F(CliCurrentFolder, IsNoPlaceForWhatTheCompilerLooksFor) {
  for (const char* variables : {"PATH=.:\"$PATH\"", "PATH=:\"$PATH\"", "CPATH=:/nowhere",
                                "CPLUS_INCLUDE_PATH=.", "LIBRARY_PATH=:", "COMPILER_PATH=."}) {
    expect_nothing_ran(
        "emit m.mtx --design csr-scalar --device cpu:1",
        fmt::format("ALPHASPARSE_CACHE='{}' {}", (folder / "cache").string(), variables), 0);
    fs::remove_all(folder / "cache");
  }
}

TEST_F(CliCurrentFolder, IsNoPlaceForLibraries) {
  expect_nothing_ran("devices", "-u LD_LIBRARY_PATH", 0);
  expect_nothing_ran("doctor", "-u LD_LIBRARY_PATH", 0);
  expect_nothing_ran("emit m.mtx --design csr-scalar --device emulated", "-u LD_LIBRARY_PATH", 0);
}

TEST_F(CliCurrentFolder, APathThatIsNamedIsTakenFromThere) {
  set_contents(folder / "own.sh",
               fmt::format("#!/bin/sh\ntouch '{}'\nexec g++ \"$@\"\n", mark.string()));
  fs::permissions(folder / "own.sh", fs::perms::owner_all);
  const CliOutcome outcome = run_cli(folder, "emit m.mtx --design csr-scalar --device cpu:1",
                                     "env ALPHASPARSE_CXX=./own.sh");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(mark));
}

}  // namespace
}  // namespace alphasparse
