// ctest label: emulator
// cli_link: kernels of several matrices in one C program, which their headers alone declare.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

using nlohmann::json;

struct CliLink : ::testing::Test {
  CliLink() {
    const std::string head = "%%MatrixMarket matrix coordinate real general\n";
    set_contents(folder / "first.mtx", head + "3 4 4\n1 1 1\n1 3 2\n3 2 3\n3 4 4\n");
    set_contents(folder / "second.mtx", head + "3 3 5\n1 1 1\n2 1 10\n2 2 2\n3 1 30\n3 3 3\n");
    std::string twos = head + "100 3 100\n";
    for (int row = 0; row < 100; ++row) twos += fmt::format("{} {} 2\n", row + 1, row % 3 + 1);
    set_contents(folder / "3-d tiles.mtx", twos);
  }

  CliOutcome run_emit(const std::string& arguments) {
    const bool has_device = arguments.find("--device") != std::string::npos;
    return run_cli(folder,
                   "emit --json " + arguments + (has_device ? "" : " --device emulated:h200"));
  }

  json emit(const std::string& arguments) {
    const CliOutcome outcome = run_emit(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.status == 0 ? json::parse(outcome.out) : json();
  }

  /// All that the test's program links. Threads do not meet in these designs, so that the host can
  /// run them.
  void emit_three() {
    emit("first.mtx -o out --design csr-scalar");
    emit("first.mtx -o out/renamed --design csr-scalar --prefix other");
    emit(
        "second.mtx -o out --dtype f64 --prefix kernel_2 --design 'reorder by=columns x=gathered | "
        "compress | "
        "thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | launch "
        "threads=32'");
    emit(
        "'3-d tiles.mtx' -o out --design 'sort_rows | compress | thread_rows rows=1 | thread_total "
        "| global_store | compact columns=full structure=full | launch threads=32'");
  }

  CommandOutcome run_in_folder(const std::string& command) {
    return run_command(
        fmt::format("cd {}/out && {}", folder.path().string(),
                    fmt::format(fmt::runtime(command),
                                fmt::arg("tests", ALPHASPARSE_SOURCE_DIR "/tests/standalone"))));
  }

  CommandOutcome compile(const std::string& name, const std::string& level) {
    return run_in_folder("g++ -x c++ -std=c++17 " + level +
                         " -Wall -Wextra -Wpedantic -Wno-unused-parameter "
                         "-Wno-unknown-pragmas -Werror -I "
                         "{tests} -c '" +
                         name + ".cu' -o '" + name + ".o'");
  }

  TestFolder folder;
};

TEST_F(CliLink, ThreeKernelsAreOneProgram) {
  emit_three();
  for (const std::string name : {"first", "second", "3-d tiles"}) {
    const CommandOutcome compiled = compile(name, "-O0");
    ASSERT_EQ(compiled.status, 0) << compiled.output;
  }
  const CommandOutcome linked = run_in_folder(
      "gcc -std=c99 -Wall -Wextra -Werror -pedantic -I . -c {tests}/link_driver.c -o driver.o && "
      "g++ driver.o first.o second.o '3-d tiles.o' -o program");
  ASSERT_EQ(linked.status, 0) << linked.output;
  const CommandOutcome outcome = run_in_folder("./program .");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

/// The symbols that an object offers to others, as `nm` names them: its own, and weak ones of the
/// libraries that it was compiled with.
struct Symbols {
  std::set<std::string> own;
  std::string weak;
};

Symbols symbols_of(const CommandOutcome& nm) {
  Symbols symbols;
  std::istringstream lines(nm.output);
  for (std::string address, type, name; lines >> address >> type && std::getline(lines, name);) {
    if (type == "W" || type == "V" || type == "u") {
      symbols.weak += name + "\n";
    } else {
      symbols.own.insert(name.substr(1));
    }
  }
  return symbols;
}

TEST_F(CliLink, AllElseIsInternal) {
  emit_three();
  for (const auto& [name, prefix] : {std::pair{"first", "first"},
                                     {"second", "kernel_2"},
                                     {"3-d tiles", "alphasparse_3_d_tiles"}}) {
    const CommandOutcome compiled = compile(name, "-O1");
    ASSERT_EQ(compiled.status, 0) << compiled.output;
    const Symbols symbols =
        symbols_of(run_in_folder(fmt::format("nm -C --defined-only --extern-only '{}.o'", name)));
    std::set<std::string> expected;
    for (const char* function : {"load", "spmv", "spmv_with", "workspace_bytes", "update_values",
                                 "update_values_device", "free", "message", "interface"}) {
      expected.insert(fmt::format("{}_{}", prefix, function));
    }
    EXPECT_EQ(symbols.own, expected);
    for (const char* ours : {"alphasparse", "anonymous", "Format", "Value", "Input", "Output"}) {
      EXPECT_EQ(symbols.weak.find(ours), std::string::npos) << ours;
    }
  }
}

TEST_F(CliLink, ItsHeadersArePlainCAndCpp) {
  const json result = emit("first.mtx -o out --design csr-scalar");
  EXPECT_EQ(result["files"]["header"], "out/first.h");
  EXPECT_EQ(result["files"]["cu"], "out/first.cu");
  EXPECT_EQ(result["files"]["kernels"], "out/first.kernel.cu");
  EXPECT_TRUE(std::filesystem::exists(folder / "out/first.kernel.cu"));
  EXPECT_NE(contents(folder / "out/first.safetensors").find("\"prefix\":\"first\""),
            std::string::npos);
  std::filesystem::create_directory(folder / "a*");
  std::filesystem::copy(folder / "first.mtx", folder / "a*/*b.mtx");
  emit("'a*/*b.mtx' -o out --name '*?\?' --design merge-csr --runtime shared");
  emit("'a*/*b.mtx' -o out --name '*?\?' --design merge-csr --device cpu:1 --prefix long_" +
       std::string(40, 'x'));
  std::vector<std::string> compilers = {"gcc -x c -std=c89 -pedantic-errors",
                                        "gcc -x c -std=c99 -pedantic",
                                        "g++ -x c++ -std=c++17 -pedantic"};
  if (run_command("clang --version").status == 0)
    compilers.push_back("clang -x c -std=c89 -pedantic-errors");
  for (const std::string& compiler : compilers) {
    for (const std::string header : {"first.h", "*?\?.h", "*?\?.cpu.h", "alphasparse_kernel.h"}) {
      set_contents(folder / "out/twice.txt",
                   fmt::format("#include \"{0}\"\n#include \"{0}\"\nint main(void) {{ return 0; "
                               "}}\n",
                               header));
      const CommandOutcome compiled =
          run_in_folder(compiler + " -Wall -Wextra -Werror -I . -fsyntax-only twice.txt");
      EXPECT_EQ(compiled.status, 0) << compiler << "\n" << compiled.output;
    }
  }
}

TEST_F(CliLink, APrefixThatIsNoNameIsRefused) {
  for (const std::string prefix : {"2x", "a-b", "a b", "", "\xc3\xa4"}) {
    const std::string rest =
        fmt::format(" first.mtx --device emulated:h200 --prefix '{}' ", prefix);
    for (const std::string command : {"emit --design csr-scalar", "tune --db t.db --trials 1"}) {
      const CliOutcome outcome = run_cli(folder, command + rest);
      EXPECT_EQ(outcome.status, 2) << outcome.err;
      EXPECT_EQ(outcome.err,
                "alphasparse: error: --prefix wants a C identifier (letters, digits and "
                "underscores, no digit first), not '" +
                    prefix + "'\n");
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "first.cu"));
}

TEST_F(CliLink, AMatrixCannotTakeTheNameOfTheCommonHeader) {
  std::filesystem::rename(folder / "first.mtx", folder / "alphasparse_kernel.mtx");
  const CliOutcome outcome = run_emit("alphasparse_kernel.mtx -o out --design csr-scalar");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("alphasparse_kernel.h is the header that all kernels share"),
            std::string::npos)
      << outcome.err;
}

TEST_F(CliLink, TuneTakesANameForItsFiles) {
  const auto tune = [&](const std::string& words) {
    return run_cli(folder,
                   "tune first.mtx -o out --trials 1 --db t.db --json --device "
                   "emulated:h200 " +
                       words);
  };
  const CliOutcome outcome = tune("--name other");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out)["files"]["header"], "out/other.h");
  EXPECT_NE(contents(folder / "out/other.h").find("int other_load("), std::string::npos);
  const CliOutcome turned = tune("--name other --transpose");
  ASSERT_EQ(turned.status, 0) << turned.err;
  EXPECT_EQ(json::parse(turned.out)["files"]["header"], "out/other_T.h");
  for (const std::string name : {"", ".hidden", "a/b", ".."}) {
    const CliOutcome refused = tune("--name '" + name + "'");
    EXPECT_EQ(refused.status, 2) << refused.err;
    EXPECT_EQ(refused.err,
              "alphasparse: error: --name wants the name of files, without a folder and not "
              "hidden, not '" +
                  name + "'\n");
  }
}

TEST_F(CliLink, TuneTakesAPrefixToo) {
  const CliOutcome outcome =
      run_cli(folder,
              "tune first.mtx -o out --prefix mine --trials 1 --db t.db --json --device "
              "emulated:h200");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out)["files"]["header"], "out/first.h");
  EXPECT_NE(contents(folder / "out/first.h").find("int mine_load("), std::string::npos);
  EXPECT_NE(contents(folder / "out/first.cu").find("int mine_load("), std::string::npos);
}

}  // namespace
}  // namespace alphasparse
