// cli_unwritable: outputs that the machine does not take end with exit 4, and those that are named
// wrongly with 2: one line, for every command. ctest label: emulator
#include <errno.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

const std::string tune = "tune m.mtx --device cpu:1 --trials 1 --db t.db --quiet ";
const std::string emit = "emit m.mtx --device cpu:1 --design csr-scalar ";
const std::string bench = "bench m.mtx --device cpu:1 --designs csr-scalar --quiet ";

struct CliUnwritable : ::testing::Test {
  CliUnwritable() {
    set_contents(folder / "m.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3\n");
    set_contents(folder / "file", "");
  }

  void expect_end(int status, const std::string& arguments, const std::string& reason,
                  const std::string& environment = "env") {
    SCOPED_TRACE(arguments + " " + environment);
    const CliOutcome outcome = run_cli(folder, arguments, environment);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_NE(outcome.err.find(reason), std::string::npos) << outcome.err;
    const auto line = outcome.err.find("alphasparse: error: ");
    ASSERT_NE(line, std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find('\n', line), outcome.err.size() - 1) << outcome.err;
  }

  TestFolder folder;
};

TEST_F(CliUnwritable, AFullDeviceIsAFaultOfTheMachine) {
  fs::create_directory(folder / "out");
  for (const char* const name :
       {"p.svg", "p.png", "made.mtx", "page.html", "all.json", "out/m.cpu.cpp", "t.json"})
    fs::create_symlink("/dev/full", folder / name);
  ASSERT_EQ(run_cli(folder, tune + "-o fine").status, 0);
  const std::string full = std::strerror(ENOSPC);
  for (const std::string& arguments :
       {std::string("inspect m.mtx --picture p.svg"), std::string("inspect m.mtx --picture p.png"),
        std::string("generate road --rows 3000 -o made.mtx"), emit + "-o out", tune + "-o out",
        tune + "-o fine --report page.html", bench + "--report page.html",
        bench + "--json-file all.json", std::string("db export t.json --db t.db"),
        std::string("db report --db t.db -o page.html")})
    expect_end(4, arguments, full);
}

TEST_F(CliUnwritable, AFolderOfOthersIsAFaultOfTheMachine) {
  const auto user = without_root();
  if (!user) GTEST_SKIP() << "as root every folder can be written into";
  fs::permissions(folder.path(), fs::perms(0755));
  fs::create_directory(folder / "theirs");
  fs::permissions(folder / "theirs", fs::perms(0555));
  const CommandOutcome made =
      run_command(fmt::format("mkdir -m 777 '{0}/home' && chmod 644 "
                              "'{0}/m.mtx'",
                              folder.path().string()));
  ASSERT_EQ(made.status, 0) << made.output;
  // Its output goes through files that the shell opened.
  const std::string as_other =
      fmt::format("{} HOME='{}/home' XDG_CACHE_HOME= XDG_DATA_HOME= TMPDIR=/tmp", *user,
                  folder.path().string());
  const std::string denied = std::strerror(EACCES);
  expect_end(4, emit + "-o theirs", denied, as_other);
  expect_end(4, emit + "-o theirs/new", denied, as_other);
  expect_end(4, "generate road --rows 3000 -o theirs/m.mtx", denied, as_other);
  expect_end(4, "inspect m.mtx --picture theirs/m.svg", denied, as_other);
}

TEST_F(CliUnwritable, EachCallThatTheSystemRefusesIsAFaultOfTheMachine) {
  ASSERT_EQ(run_cli(folder, emit + "-o before").status, 0);  // the kernels are in the cache
  const auto failing = [&](const std::string& call) {
    set_contents(folder / "count", std::string(sizeof(long), '\0'));
    return fmt::format("env LD_PRELOAD='{}' FAIL_CALL='{} program' FAIL_CALL_COUNT='{}'", FAIL_CALL,
                       call, (folder / "count").string());
  };
  expect_end(4, "generate road --rows 3000 -o made.mtx", std::strerror(EIO),
             failing(fmt::format("rename 1 {}", EIO)));
  expect_end(4, "generate road --rows 3000 -o made.mtx", std::strerror(EDQUOT),
             failing(fmt::format("write 1 {}", EDQUOT)));
  expect_end(4, "generate road --rows 3000 -o made.mtx", std::strerror(EFBIG),
             failing(fmt::format("write 1 {}", EFBIG)));
  EXPECT_FALSE(fs::exists(folder / "made.mtx"));
}

TEST_F(CliUnwritable, ALimitOfAFilesSizeIsNamedAsTheRemedy) {
  const std::string remedy = "; raise the limit of a file's size (ulimit -f)";
  for (const std::string device : {"cpu:1", "emulated:h200"}) {
    const auto expect_remedy = [&](int status, int blocks, const std::string& command) {
      expect_end(status, command + " --device " + device, remedy,
                 fmt::format("export ALPHASPARSE_CACHE=none; ulimit -f {};", blocks));
    };
    expect_remedy(4, 1, "emit m.mtx --design csr-scalar");
    expect_remedy(5, 64, "tune m.mtx --trials 1 --db t.db --quiet");  // the database takes more
  }
}

TEST_F(CliUnwritable, AMatrixThatIsReadIsNotOverwritten) {
  const std::string matrix = contents(folder / "m.mtx");
  fs::create_symlink("m.mtx", folder / "link.html");
  for (const std::string& arguments :
       {tune + "--report link.html", tune + "--shard 1/1 --results ./m.mtx",
        bench + "--report ./link.html", bench + "--json-file m.mtx"})
    expect_end(2, arguments, "is the file of a matrix that is read");
  EXPECT_EQ(contents(folder / "m.mtx"), matrix);
}

TEST_F(CliUnwritable, AWrongNameIsAnErrorOfTheCaller) {
  fs::create_symlink("loop", folder / "loop");
  for (const std::string& command : {tune, emit}) {
    expect_end(2, command + "-o file", "");
    expect_end(2, command + "-o file/below", "file/below");
    expect_end(2, command + "-o " + std::string(300, 'n'), std::strerror(ENAMETOOLONG));
    expect_end(2, command + "-o loop", "");
  }
  expect_end(2, "generate road --rows 3000 -o none/m.mtx", std::strerror(ENOENT));
  expect_end(2, "inspect m.mtx --picture file/m.svg", std::strerror(ENOTDIR));
  expect_end(2, bench + "--report none/p.html", std::strerror(ENOENT));
  for (const std::string& of :
       {std::string("--base none.db"), std::string("--base none.db --shard 1/1")})
    expect_end(5, tune + of, "none.db does not exist; name another file with --base");
}

}  // namespace
}  // namespace alphasparse
