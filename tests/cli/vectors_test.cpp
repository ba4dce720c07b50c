// ctest label: emulator
// cli_vectors: kernels for several vectors as programs and libraries, and what their C function and
// the option refuse.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

using nlohmann::json;

/// Takes products of the matrix of CliVectors by the functions of its header.
constexpr const char* caller_of_vectors = R"(#include <assert.h>
#include <string.h>
#include "m.cpu.h"
int main(void) {
  alphasparse_handle* handle;
  double both[4][5], x[4][2], y[3][3], x_columns[2][5], y_columns[2][4];
  for (int i = 0; i < 4; ++i) x[i][0] = i + 1, x[i][1] = -2 * (i + 1);
  for (int i = 0; i < 3; ++i) y[i][0] = y[i][1] = 7, y[i][2] = 5;
  assert(m_cpu_load("m.cpu.safetensors", &handle) == alphasparse_ok);
  assert(m_cpu_spmm(handle, x[0], 2, y[0], 3, 1, 0) == alphasparse_ok);
  assert(y[0][0] == 10 && y[0][1] == -20 && y[1][0] == 0 && y[2][0] == 19 && y[2][1] == -38);
  assert(m_cpu_spmm(handle, x[0], 2, y[0], 3, 2, -1) == alphasparse_ok);
  assert(y[0][0] == 10 && y[2][1] == -38);
  assert(m_cpu_spmm(handle, x[0], 2, y[0], 3, 0, 2) == alphasparse_ok);
  assert(y[0][0] == 20 && y[1][1] == 0 && y[0][2] == 5 && y[2][2] == 5);
  assert(m_cpu_spmm(handle, 0, 2, y[0], 3, 1, 0) == alphasparse_bad_argument);
  assert(m_cpu_spmm(handle, x[0], 1, y[0], 3, 1, 0) == alphasparse_bad_argument);
  assert(strstr(m_cpu_message(), "ldx is less than the columns of X"));
  assert(m_cpu_spmm(handle, x[0], 2, y[0], 1, 1, 0) == alphasparse_bad_argument);
  assert(m_cpu_spmm(handle, both[0], 5, both[0] + 1, 5, 1, 0) == alphasparse_bad_argument);
  assert(strstr(m_cpu_message(), "X and Y overlap"));
  memset(both, 0, sizeof both);
  assert(m_cpu_spmm(handle, both[0], 5, both[0] + 2, 5, 1, 0) == alphasparse_ok);
  const alphasparse_kernel* kernel = m_cpu_interface();
  assert(kernel->version == ALPHASPARSE_VECTORS_VERSION && kernel->size == sizeof *kernel);
  assert(kernel->vectors == 2 && !kernel->spmv && !kernel->spmv_with && !kernel->workspace_bytes);
  assert(kernel->spmm(handle, x[0], 2, y[0], 3, 1, 0, NULL) == alphasparse_ok);
  assert(y[0][0] == 10 && y[0][1] == -20 && y[2][1] == -38 && y[2][2] == 5);
  assert(kernel->spmm(handle, x[0], 1, y[0], 3, 1, 0, NULL) == alphasparse_bad_argument);
  assert(strcmp(kernel->message(), "m_cpu_spmm: ldx is less than the columns of X") == 0);
  for (int i = 0; i < 5; ++i) x_columns[0][i] = i + 1, x_columns[1][i] = -2 * (i + 1);
  for (int i = 0; i < 4; ++i) y_columns[0][i] = y_columns[1][i] = 5;
  assert(m_cpu_spmm_columns(handle, x_columns[0], 5, y_columns[0], 4, 1, 0) == alphasparse_ok);
  assert(y_columns[0][0] == 10 && y_columns[0][2] == 19 && y_columns[0][3] == 5);
  assert(y_columns[1][0] == -20 && y_columns[1][1] == 0 && y_columns[1][2] == -38);
  assert(m_cpu_spmm_columns(handle, x_columns[0], 5, y_columns[0], 4, 2, -1) == alphasparse_ok);
  assert(y_columns[0][0] == 10 && y_columns[1][2] == -38 && y_columns[1][3] == 5);
  assert(kernel->spmm_columns(handle, x_columns[0], 5, y_columns[0], 4, 0, 2, NULL) ==
         alphasparse_ok);
  assert(y_columns[0][0] == 20 && y_columns[1][2] == -76 && y_columns[0][3] == 5);
  assert(m_cpu_spmm_columns(handle, x_columns[0], 3, y_columns[0], 4, 1, 0) ==
         alphasparse_bad_argument);
  assert(strstr(m_cpu_message(), "m_cpu_spmm_columns: ldx is less than the rows of X"));
  assert(m_cpu_spmm_columns(handle, x_columns[0], 5, y_columns[0], 2, 1, 0) ==
         alphasparse_bad_argument);
  assert(strstr(m_cpu_message(), "ldy is less than the rows of Y"));
  assert(m_cpu_spmm_columns(handle, x_columns[0], 5, 0, 4, 1, 0) == alphasparse_bad_argument);
  kernel->free(handle);
  return 0;
}
)";

struct CliVectors : ::testing::Test {
  CliVectors() {
    set_contents(folder / "m.mtx",
                 "%%MatrixMarket matrix coordinate real general\n3 4 4\n"
                 "1 2 2\n1 3 2\n3 1 3\n3 4 4\n");
  }

  CliOutcome run(const std::string& arguments) { return run_cli(folder, arguments); }

  CommandOutcome run_in_folder(const std::string& command) {
    return run_command(fmt::format("cd {}/out && {}", folder.path().string(), command));
  }

  TestFolder folder;
};

TEST_F(CliVectors, ProgramsAndCallersMultiplySeveralVectors) {
  for (const std::string form : {"", "--runtime shared"}) {
    const CliOutcome emitted =
        run("emit m.mtx --design csr-scalar --device cpu:1 --dtype f64 --vectors 2 -o out " + form);
    ASSERT_EQ(emitted.status, 0) << emitted.err;
    const CommandOutcome program = run_in_folder(
        "g++ -std=c++17 -fopenmp -Wall -Wextra -Werror -O1 -DALPHASPARSE_MAIN m.cpu.cpp -o m && "
        "./m --repeat 1");
    EXPECT_EQ(program.status, 0) << program.output;
    EXPECT_NE(program.output.find("by columns: right"), std::string::npos) << program.output;
    EXPECT_NE(program.output.find("other values: right"), std::string::npos) << program.output;
    EXPECT_NE(program.output.find("us where X and Y lie by columns"), std::string::npos);
    set_contents(folder / "out/caller.c", caller_of_vectors);
    const CommandOutcome called = run_in_folder(
        "gcc -c caller.c && g++ -std=c++17 -fopenmp -O1 caller.o m.cpu.cpp -o caller && ./caller");
    EXPECT_EQ(called.status, 0) << called.output;
  }
}

TEST_F(CliVectors, OtherNumbersAreRefused) {
  for (const char* const word : {"0", "65", "-1", "2.5", "3", "two"}) {
    const CliOutcome refused =
        run(fmt::format("emit m.mtx --design csr-scalar --vectors={}", word));
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.err.find("--vectors wants one of 1|2|4|8|16|32|64"), std::string::npos)
        << refused.err;
  }
  const CliOutcome columns =
      run("emit m.mtx --device cpu:1 --design 'compress | thread_rows rows=1 | thread_total | "
          "global_store | launch tasks=bytes columns=4'");
  EXPECT_EQ(columns.status, 2);
  EXPECT_NE(columns.err.find("columns= is for several vectors"), std::string::npos) << columns.err;
}

TEST_F(CliVectors, TheDatabaseKeepsSearchesApart) {
  const auto tuned = [&](const std::string& options) {
    const CliOutcome outcome =
        run("tune m.mtx --device emulated:h200 --trials 3 --time 10m --db t.db -o out --json " +
            options);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return json::parse(outcome.out);
  };
  EXPECT_EQ(tuned("--vectors 4")["vectors"], 4);
  EXPECT_NE(tuned("")["tier"], "exact");
  EXPECT_EQ(tuned("--vectors 4")["tier"], "exact");
  const CliOutcome benched =
      run("bench m.mtx --device emulated:h200 --designs csr-scalar --vectors 8 --json");
  ASSERT_EQ(benched.status, 0) << benched.err;
  const json bench = json::parse(benched.out);
  EXPECT_EQ(bench["vectors"], 8);
  EXPECT_GT(bench["matrices"][0]["designs"][0]["times_products"], 1);
}

}  // namespace
}  // namespace alphasparse
