// cli_equal_names: matrices of one folder whose names give the same C functions or the same files.
// ctest label: emulator
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

const std::string linked_program = R"(#include <stdio.h>
#include "a-b.cpu.h"
#include "a_b.cpu.h"
static int product(const alphasparse_kernel* kernel, const char* file) {
  alphasparse_handle* handle;
  const float x[2] = {1, 2};
  float y[2];
  if (kernel->load(file, &handle) || kernel->spmv(handle, x, y, 1, 0, 0)) return 1;
  printf("%g %g\n", y[0], y[1]);
  kernel->free(handle);
  return 0;
}
int main(void) {
  return product(a_b_cpu_interface(), "a-b.cpu.safetensors") ||
         product(other_interface(), "a_b.cpu.safetensors");
}
)";

struct CliEqualNames : ::testing::Test {
  CliEqualNames() {
    write("a-b", 3);
    write("a_b", 5);
  }

  void write(const std::string& name, int value) {
    set_contents(
        folder / (name + ".mtx"),
        fmt::format("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 {}\n2 2 1\n",
                    value));
  }

  CliOutcome emit(const std::string& words, const std::string& device = "cpu:1") {
    return run_cli(folder, "emit --design csr-scalar -o out --device " + device + " " + words);
  }

  CommandOutcome build_and_run(const std::string& linked) {
    return run_command(fmt::format("cd '{}/out' && {}", folder.path().string(), linked));
  }

  TestFolder folder;
};

/// The warning for the headers of two kernels.
std::string warning(const std::string& first, const std::string& second,
                    const std::string& prefix) {
  return fmt::format(
      "alphasparse: {} and {} declare the same C functions, {}_load and others, so that one "
      "program "
      "cannot link them together; make one again with a --prefix of its own\n",
      first, second, prefix);
}

TEST_F(CliEqualNames, EqualCFunctionsAreToldWithARemedyThatLinks) {
  EXPECT_EQ(emit("a-b.mtx").err, "");
  const CliOutcome equal = emit("a_b.mtx");
  EXPECT_EQ(equal.status, 0);
  EXPECT_EQ(equal.err, warning("a-b.cpu.h", "a_b.cpu.h", "a_b_cpu"));
  EXPECT_EQ(emit("a_b.mtx --prefix other").err, "");
  set_contents(folder / "out/program.c", linked_program);
  const CommandOutcome linked = build_and_run(
      "gcc -std=c99 -Wall -Werror -c program.c && g++ -std=c++17 -O0 -fopenmp program.o "
      "a-b.cpu.cpp "
      "a_b.cpu.cpp -o program && ./program");
  EXPECT_EQ(linked.status, 0);
  EXPECT_EQ(linked.output, "3 2\n5 2\n");
}

TEST_F(CliEqualNames, KernelsOfOneMatrixForTwoDevicesLinkTogether) {
  EXPECT_EQ(emit("a-b.mtx").err, "");
  EXPECT_EQ(emit("a-b.mtx", "emulated:h200").err, "");
}

TEST_F(CliEqualNames, TuneTellsThemForOneMatrixAndForMany) {
  const std::string tune = "tune --device emulated:h200 --trials 1 --db t.db -o out ";
  EXPECT_EQ(run_cli(folder, tune + "a-b.mtx").err.find("same C functions"), std::string::npos);
  const std::string told = warning("a-b.h", "a_b.h", "a_b");
  for (const std::string words : {"a_b.mtx", "a-b.mtx a_b.mtx"}) {
    const CliOutcome outcome = run_cli(folder, tune + words);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_NE(outcome.err.find(told), std::string::npos) << outcome.err;
    EXPECT_EQ(run_cli(folder, tune + "--quiet " + words).err, "");
  }
}

TEST_F(CliEqualNames, AFileOfAnotherKernelIsNotOverwritten) {
  write("m", 1);
  EXPECT_EQ(emit("m.mtx").status, 0);
  EXPECT_EQ(emit("m.mtx", "emulated:h200").status, 0);
  const std::string header = contents(folder / "out/m.cpu.h");
  const std::string kernels = contents(folder / "out/m.kernel.cu");
  for (const std::string ending : {".cpu", ".kernel"}) {
    write("m" + ending, 2);
    const CliOutcome outcome = emit("m" + ending + ".mtx", "emulated:h200");
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(
        outcome.err,
        fmt::format("alphasparse: error: out/m{0}.cu would be a file of the kernel m too; give "
                    "it a name without {0} by --name\n",
                    ending));
  }
  EXPECT_EQ(contents(folder / "out/m.cpu.h"), header);
  EXPECT_EQ(contents(folder / "out/m.kernel.cu"), kernels);
}

}  // namespace
}  // namespace alphasparse
