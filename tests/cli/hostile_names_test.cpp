// ctest label: emulator
// cli_hostile_names: matrices, prefixes and places with names that were chosen to do harm.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* matrix = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3\n";

struct CliHostileNames : ::testing::Test {
  /// No character of a terminal's own language is in it.
  static void expect_harmless(const std::string& text) {
    for (const char* harmful : {"\x1b", "\r", "\x07", "\xe2\x80\xae", "\xe2\x81\xa6", "\xc2\x9b"})
      EXPECT_EQ(text.find(harmful), std::string::npos) << text;
  }

  TestFolder folder;
};

TEST_F(CliHostileNames, TerminalsAndCommentsGetPrintableText) {
  const std::string name = "a\x1b[31m\r\xe2\x80\xae\xe2\x81\xa6\xc2\x9b\x07\nwinner   z";
  set_contents(folder / (name + ".mtx"), matrix);
  set_contents(
      folder / "names.sh",
      "name=$(printf 'a\\033[31m\\r\\342\\200\\256\\342\\201\\246\\302\\233\\007\\nwinner   z')\n");
  const auto run = [&](const std::string& arguments) {
    const CommandOutcome outcome = run_command(fmt::format(
        "cd '{}' && . ./names.sh && '{}' {}", folder.path().string(), cli_program(), arguments));
    expect_harmless(outcome.output);
    return outcome;
  };
  for (const std::string device : {"cpu:1", "emulated"}) {
    const CommandOutcome emitted = run(
        fmt::format("emit \"$name.mtx\" --design csr-scalar -o \"out$name\" --device {}", device));
    EXPECT_EQ(emitted.status, 0) << emitted.output;
    EXPECT_EQ(emitted.output.find("\nwinner"), std::string::npos) << emitted.output;
  }
  for (const auto& file : fs::directory_iterator(folder / ("out" + name))) {
    if (file.path().extension() == ".safetensors") continue;
    for (const char* harmful : {"\x1b", "\r", "\xe2\x80\xae", "\xc2\x9b"})
      EXPECT_EQ(contents(file).find(harmful), std::string::npos) << file.path();
  }
  EXPECT_EQ(run("tune \"$name.mtx\" --device cpu:1 --trials 1 --db t.db -o out --quiet").status, 0);
  run("tune . --device cpu:1 --trials 1 --db t.db -o out --fresh");
  run("db list --db t.db");
  run("db show \"$name\" --db t.db");
  run("inspect \"$name.mtx\"");
  run("bench \"$name.mtx\" --device cpu:1 --designs csr-scalar");
  run("emit \"missing$name.mtx\" --design csr-scalar --device cpu:1");
  run("emit \"$name.mtx\" --design \"$name\" --device cpu:1");
  run("emit \"$name.mtx\" --design csr-scalar --device \"$name\"");
  run("db list --db \"$name\"");
  const CommandOutcome told = run("inspect \"$name.mtx\" --json");
  EXPECT_EQ(json::parse(told.output)["name"], name) << "JSON says the same, by escapes";
}

TEST_F(CliHostileNames, NamesOfPlaceholdersAreNames) {
  const auto compiles = [&](const std::string& command) {
    const CommandOutcome built =
        run_command(fmt::format("cd '{}/out' && {}", folder.path().string(), command));
    EXPECT_EQ(built.status, 0) << command << "\n" << built.output;
  };
  for (const std::string name : {"FORMAT_FILE", "PREFIX", "VALUE_ROWS_COLS_NNZ", "WORKSPACE_NOTE",
                                 "KERNEL", "run", "alphasparse", "ALPHASPARSE_MAIN"}) {
    set_contents(folder / (name + ".mtx"), matrix);
    for (const std::string device : {"cpu:1", "emulated"}) {
      const CliOutcome emitted =
          run_cli(folder, fmt::format("emit {0}.mtx --prefix {0} --design csr-scalar -o out "
                                      "--device {1}",
                                      name, device));
      EXPECT_EQ(emitted.status, 0) << emitted.err;
    }
    set_contents(
        folder / "out/use.c",
        fmt::format(
            "#include \"{0}.cpu.h\"\n"
            "int use(alphasparse_handle** h, const float* x, float* y) {{\n"
            "  return {0}_load(\"{0}.cpu.safetensors\", h) + {0}_spmv(*h, x, y, 1, 0); }}\n",
            name));
    compiles("gcc -std=c99 -Wall -Wextra -Werror -fsyntax-only use.c");
    compiles(fmt::format("gcc -std=c99 -I '{}/tests/standalone' -x c -fsyntax-only {}.h",
                         ALPHASPARSE_SOURCE_DIR, name));
    EXPECT_NE(contents(folder / ("out/" + name + ".cpu.h"))
                  .find(fmt::format("{0}_load(\"{0}.cpu.safetensors\", &handle)", name)),
              std::string::npos);
  }
  // Names that the emitted text has for itself.
  compiles("g++ -std=c++17 -fopenmp -DALPHASPARSE_MAIN -fsyntax-only run.cpu.cpp");
  compiles(fmt::format(
      "g++ -x c++ -std=c++17 -I '{}/tests/standalone' -DALPHASPARSE_MAIN -fsyntax-only run.cu",
      ALPHASPARSE_SOURCE_DIR));
  compiles("g++ -std=c++17 -fopenmp -fsyntax-only -include KERNEL.cpu.h KERNEL.cpu.cpp");
}

TEST_F(CliHostileNames, PlacesAreNoOptions) {
  set_contents(folder / "m.mtx", matrix);
  fs::create_directory(folder / "-x");
  const CliOutcome outcome = run_cli(folder, "emit m.mtx --design csr-scalar --device cpu:1 -o out",
                                     "env TMPDIR=-x ALPHASPARSE_CACHE=-cache");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(fs::is_directory(folder / "-cache"));
}

}  // namespace
}  // namespace alphasparse
