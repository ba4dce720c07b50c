// ctest label: emulator
// cli_shared_places: folders that others can write into. Nothing hangs there. A replaced file keeps
// its mode and is named, and files that we make are ours alone.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

constexpr const char* two_by_two = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3\n";

int mode_of(const fs::path& path) { return static_cast<int>(fs::status(path).permissions()); }

struct CliSharedPlaces : ::testing::Test {
  CliSharedPlaces() {
    fs::create_directory(folder / "all");
    set_contents(folder / "all/m.mtx", two_by_two);
  }

  /// Ends by itself, long before a minute is over.
  CliOutcome run(const std::string& arguments, const std::string& environment = "env") {
    const CliOutcome outcome = run_cli(folder, arguments, "timeout -s KILL 60 " + environment);
    EXPECT_NE(outcome.status, 137) << arguments;
    return outcome;
  }

  TestFolder folder;
};

TEST_F(CliSharedPlaces, PipesAndDevicesAmongMatricesAreLeftOut) {
  ASSERT_EQ(mkfifo((folder / "all/z.mtx").c_str(), 0666), 0);
  fs::create_symlink("/dev/zero", folder / "all/a.mtx");
  for (const char* command : {"tune all --device cpu:1 --time-total 3s --trials 1 --db t.db -o out",
                              "tune all --shard 1/1 --device cpu:1 --trials 1 --db t.db -o out"}) {
    const CliOutcome outcome = run(command);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("z.mtx is no file and is left out"), std::string::npos);
    EXPECT_NE(outcome.err.find("a.mtx is no file and is left out"), std::string::npos);
  }
}

TEST_F(CliSharedPlaces, ANamedPipeIsGivenUpWhenTheTimeIsOver) {
  ASSERT_EQ(mkfifo((folder / "pipe.mtx").c_str(), 0666), 0);
  const CliOutcome one = run("tune pipe.mtx --device cpu:1 --time 1s --db t.db -o out");
  EXPECT_EQ(one.status, 3);
  EXPECT_EQ(one.err,
            "alphasparse: error: pipe.mtx: its time was over before it was read; give it more\n");
  const CliOutcome many =
      run("tune pipe.mtx all/m.mtx --device cpu:1 --time 1s --trials 1 --db t.db -o out --quiet");
  EXPECT_EQ(many.status, 3) << many.err;
  EXPECT_TRUE(fs::exists(folder / "out/m.cpu.cpp")) << "the other one is tuned";
  const CommandOutcome stopped = run_command(fmt::format(
      "cd '{}' && timeout --foreground -k 20 -s TERM 1 '{}' tune pipe.mtx all/m.mtx --device cpu:1 "
      "--time 9s --db t.db -o out --fresh",
      folder.path().string(), cli_program()));
  EXPECT_NE(stopped.status, 137) << stopped.output;
  EXPECT_NE(stopped.output.find("interrupted"), std::string::npos) << stopped.output;
}

TEST_F(CliSharedPlaces, PipesInThePlacesOfOurFilesHoldNobodyUp) {
  fs::create_directory(folder / "out");
  for (const char* name : {"t.db", "e.json", "out/m.cpu.cpp"})
    ASSERT_EQ(mkfifo((folder / name).c_str(), 0666), 0);
  EXPECT_EQ(run("db list --db t.db").status, 5);
  EXPECT_EQ(run("tune all/m.mtx --device cpu:1 --trials 1 --db t.db -o out").status, 5);
  EXPECT_EQ(run("db import e.json --db u.db").status, 2);
  EXPECT_EQ(run("emit all/m.mtx --design csr-scalar --device cpu:1 -o out").status, 2);
  const CommandOutcome loaded = run_command(fmt::format(
      "cd '{0}' && mkfifo f && '{1}' emit all/m.mtx --design csr-scalar --device cpu:1 -o k && "
      "g++ -std=c++17 -fopenmp -DALPHASPARSE_MAIN k/m.cpu.cpp -o k/m && timeout 20 k/m f",
      folder.path().string(), cli_program()));
  EXPECT_EQ(loaded.status, 2) << loaded.output;
  EXPECT_NE(loaded.output.find("f: is no regular file"), std::string::npos) << loaded.output;
}

// They are named after the matrix, not by a person.
TEST_F(CliSharedPlaces, FilesThatAreNotOursAreNotReplacedByAKernels) {
  const std::string of_one = "all/m.mtx --design csr-scalar -o out";
  for (const auto& [file, text, device] :
       {std::tuple{"m.cpu.h", "my own header\n", "cpu:1"},
        std::tuple{"m.cu", "#include \"alphasparse_kernel.h\"\n", "emulated"},
        std::tuple{"m.kernel.cu", "// mine\n", "emulated"},
        std::tuple{"m.cpu.safetensors", "{\"weights\":1}", "cpu:1"},
        std::tuple{"alphasparse_kernel.h", "#pragma once\n", "cpu:1"}}) {
    fs::remove_all(folder / "out");
    fs::create_directory(folder / "out");
    set_contents(folder / "out" / file, text);
    for (const std::string& command :
         {"emit " + of_one, std::string("tune all/m.mtx --trials 1 --db t.db -o out")}) {
      const CliOutcome outcome = run(command + " --device " + device);
      EXPECT_EQ(outcome.status, 2) << file;
      EXPECT_EQ(outcome.err,
                fmt::format("alphasparse: error: out/{} was not written by alphasparse and is not "
                            "replaced; name another folder with -o\n",
                            file));
      EXPECT_EQ(contents(folder / "out" / file), text);
      EXPECT_EQ(std::distance(fs::directory_iterator(folder / "out"), {}), 1);
    }
  }
}

TEST_F(CliSharedPlaces, WhatIsReplacedKeepsItsModeAndIsToldWhereItWasNotOurs) {
  fs::create_directory(folder / "out");
  const std::string emit = "emit all/m.mtx --design csr-scalar --device cpu:1 -o out";
  set_contents(folder / "out/m.cpu.h", "");
  EXPECT_EQ(run(emit).err, "") << "an empty file is nobody's work";
  fs::permissions(folder / "out/m.cpu.cpp", fs::perms(0640));
  const CliOutcome again = run(emit);
  EXPECT_EQ(again.err, "") << "what we have written is no surprise";
  EXPECT_EQ(mode_of(folder / "out/m.cpu.cpp"), 0640);
  for (const std::string command :
       {"inspect all/m.mtx --picture p.svg", "inspect all/m.mtx --picture p.png",
        "generate road --rows 3000 -o g.mtx", "db export e.json --db t.db",
        "db report --db t.db -o db.html",
        "bench all/m.mtx --designs csr-scalar --device cpu:1 --quiet --json-file b.json"}) {
    if (!fs::exists(folder / "t.db"))
      run("tune all/m.mtx --device cpu:1 --trials 1 --db t.db -o out --quiet");
    for (int i = 0; i < 2; ++i) {
      const CliOutcome outcome = run(command);
      EXPECT_EQ(outcome.status, 0) << command;
      EXPECT_EQ(outcome.err, "") << command;
    }
  }
  set_contents(folder / "thesis.html", "<p>thesis</p>");
  const CliOutcome report =
      run("tune all/m.mtx --device cpu:1 --trials 1 --db t.db -o out --report thesis.html --quiet");
  EXPECT_NE(report.err.find("thesis.html was not written by alphasparse"), std::string::npos)
      << report.err;
}

TEST_F(CliSharedPlaces, FoldersAreOursAloneWhateverTheUmask) {
  for (const char* mask : {"0", "077"}) {
    const std::string home = fmt::format("home{}", mask);
    const CommandOutcome tuned = run_command(fmt::format(
        "cd '{0}' && umask {2} && unset ALPHASPARSE_CACHE ALPHASPARSE_DB && mkdir -m 755 {3} && "
        "HOME='{0}/{3}' XDG_CACHE_HOME= XDG_DATA_HOME= '{1}' tune all/m.mtx --device cpu:1 "
        "--trials 1 -o '{3}/results/deep'",
        folder.path().string(), cli_program(), mask, home));
    EXPECT_EQ(tuned.status, 0) << tuned.output;
    for (const char* made : {".cache", ".cache/alphasparse", ".local", ".local/share",
                             ".local/share/alphasparse", "results", "results/deep"})
      EXPECT_EQ(mode_of(folder / home / made), 0700) << mask << " " << made;
    for (const auto& file : fs::recursive_directory_iterator(folder / home))
      EXPECT_EQ(mode_of(file) & 0002, 0) << file.path();
  }
}

TEST_F(CliSharedPlaces, ACacheKeepsTheFilesOfItsOwner) {
  fs::create_directory(folder / "mine");
  set_contents(folder / "mine/thesis.tmp", "chapter 1");
  run_command(fmt::format("touch -d '2 hours ago' '{}'", (folder / "mine/thesis.tmp").string()));
  EXPECT_EQ(
      run("emit all/m.mtx --design csr-scalar --device cpu:1 -o out", "env ALPHASPARSE_CACHE=mine")
          .status,
      0);
  EXPECT_EQ(contents(folder / "mine/thesis.tmp"), "chapter 1");
}

}  // namespace
}  // namespace alphasparse
