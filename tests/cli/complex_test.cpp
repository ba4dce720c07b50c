// ctest label: emulator
// cli_complex: kernels of complex numbers as programs and libraries. Refusals of commands and of C
// functions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

using nlohmann::json;

/// Takes products of the matrix of CliComplex by the functions of its header, beside C's own.
constexpr const char* caller_of_complex = R"(#include <assert.h>
#include <complex.h>
#include <string.h>
#include "m.cpu.h"
int main(void) {
  alphasparse_handle* handle;
  double complex x[2] = {1 + 2 * I, -3 + 1 * I}, y[2] = {4 - 1 * I, 2 * I}, wanted[2], half[3] = {
      1, 2 * I, 1 - 1 * I};
  const double complex a = 2 + 1 * I, alpha = 2 - 1 * I, beta = -1 + 3 * I;
  const alphasparse_kernel* kernel = m_cpu_interface();
  alphasparse_c128 c_alpha = {2, -1}, c_beta = {-1, 3};
  assert(sizeof(alphasparse_c128) == sizeof(double complex) && sizeof(alphasparse_c64) == 8);
  assert(strcmp(kernel->dtype, "c128") == 0 && kernel->size == sizeof *kernel);
  assert(m_cpu_load("m.cpu.safetensors", &handle) == alphasparse_ok);
  wanted[0] = alpha * (3 * x[0] + a * x[1]) + beta * y[0];
  wanted[1] = alpha * (conj(a) * x[0]) + beta * y[1];
  assert(m_cpu_spmv(handle, (void*)x, (void*)y, c_alpha, c_beta) == alphasparse_ok);
  assert(memcmp(y, wanted, sizeof y) == 0);
  wanted[0] = alpha * (3 * x[0] + a * x[1]);
  wanted[1] = alpha * (conj(a) * x[0]);
  assert(kernel->spmv_scaled(handle, x, y, &alpha, &(double complex){0}, NULL) == alphasparse_ok);
  assert(memcmp(y, wanted, sizeof y) == 0);
  assert(kernel->spmv(handle, x, y, 2, 0, NULL) == alphasparse_ok);
  assert(y[0] == 2 * (3 * x[0] + a * x[1]));
  assert(m_cpu_update_values(handle, (void*)half) == alphasparse_ok);
  assert(kernel->spmv(handle, x, y, 1, 0, NULL) == alphasparse_ok);
  assert(y[0] == x[0] + half[1] * x[1] && y[1] == half[2] * x[0]);
  assert(kernel->spmv_scaled(handle, 0, y, &alpha, &beta, NULL) == alphasparse_bad_argument);
  assert(kernel->spmv_scaled(handle, x, y, NULL, &beta, NULL) == alphasparse_bad_argument);
  kernel->free(handle);
  return 0;
}
)";

struct CliComplex : ::testing::Test {
  CliComplex() {
    set_contents(folder / "m.mtx",
                 "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 3 0\n2 1 2 -1\n");
    set_contents(folder / "r.mtx",
                 "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 3\n2 1 0.5\n");
  }

  CliOutcome run(const std::string& arguments) { return run_cli(folder, arguments); }

  CommandOutcome run_in_folder(const std::string& command) {
    return run_command(fmt::format("cd {}/out && {}", folder.path().string(), command));
  }

  /// The one line of a command that ends with status 2.
  std::string refusal(const std::string& arguments) {
    const CliOutcome refused = run(arguments);
    EXPECT_EQ(refused.status, 2) << arguments;
    return refused.err;
  }

  TestFolder folder;
};

TEST_F(CliComplex, ProgramsAndCallersMultiplyComplexNumbers) {
  for (const char* const runtime : {"standalone", "shared"}) {
    for (const char* const matrix : {"m", "r"}) {
      const CliOutcome emitted =
          run(fmt::format("emit {}.mtx --design csr-vector --device cpu:1 --dtype c128 -o out "
                          "--runtime {}",
                          matrix, runtime));
      ASSERT_EQ(emitted.status, 0) << emitted.err;
      const CommandOutcome program = run_in_folder(
          fmt::format("g++ -std=c++17 -fopenmp -Wall -Wextra -Werror -O1 -DALPHASPARSE_MAIN "
                      "{0}.cpu.cpp -o {0} && ./{0} --repeat 1",
                      matrix));
      EXPECT_EQ(program.status, 0) << program.output;
      for (const char* const line : {"y = (2 + i) A x - (1 - 2 i) y: right", "other values: right"})
        EXPECT_NE(program.output.find(line), std::string::npos) << program.output;
    }
    set_contents(folder / "out/caller.c", caller_of_complex);
    const CommandOutcome called = run_in_folder(
        "gcc -c caller.c && g++ -std=c++17 -fopenmp -O1 caller.o m.cpu.cpp -o caller && ./caller");
    EXPECT_EQ(called.status, 0) << called.output;
  }
}

TEST_F(CliComplex, AComplexFileHasAComplexType) {
  const CliOutcome emitted = run("emit m.mtx --design coo --device emulated:h200 -o out");
  ASSERT_EQ(emitted.status, 0) << emitted.err;
  const std::string header = contents(folder / "out/m.h");
  EXPECT_NE(header.find("alphasparse_c64 alpha"), std::string::npos);
  EXPECT_NE(header.find("const alphasparse_c64 one = {1, 0}, zero = {0, 0};"), std::string::npos);
  const std::string line = refusal("emit m.mtx --design coo --dtype f64 --device cpu:1");
  EXPECT_NE(line.find("m.mtx: its values are complex, and f64 is a real type; use --dtype c64 or "
                      "c128"),
            std::string::npos)
      << line;
}

TEST_F(CliComplex, RefusesValuesAndOptionsOfRealNumbersAlone) {
  set_contents(folder / "large.mtx",
               "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1e300\n");
  const std::string large = refusal("emit large.mtx --design coo --device cpu:1");
  EXPECT_NE(large.find("is beyond complex64; use --dtype c128"), std::string::npos) << large;
  for (const char* const command : {"emit m.mtx --design coo", "tune m.mtx", "bench m.mtx"}) {
    const std::string several = refusal(command + std::string(" --device cpu:1 --vectors 2"));
    EXPECT_NE(several.find("several vectors have real numbers, not c64"), std::string::npos)
        << several;
  }
  set_contents(folder / "skew.mtx",
               "%%MatrixMarket matrix coordinate complex skew-symmetric\n2 2 1\n1 1 0 1\n");
  const std::string skew = refusal("emit skew.mtx --design coo --device cpu:1");
  EXPECT_NE(skew.find("skew.mtx:3"), std::string::npos) << skew;
}

TEST_F(CliComplex, ASearchAnswersFromItsDatabase) {
  const std::string tune =
      "tune m.mtx --device cpu:1 --trials 3 --time 20s --db t.db -o out --json";
  const CliOutcome first = run(tune);
  ASSERT_EQ(first.status, 0) << first.err;
  const CliOutcome second = run(tune);
  ASSERT_EQ(second.status, 0) << second.err;
  const json answer = json::parse(second.out);
  EXPECT_EQ(answer["dtype"], "c64");
  EXPECT_EQ(answer["tier"], "exact") << second.out;
}

}  // namespace
}  // namespace alphasparse
