// ctest label: emulator
// cli_own_order: kernels whose x and y have an order of their own. An option allows them, and C
// functions move the vectors. Callers that know nothing of orders are refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

using nlohmann::json;

constexpr const char* permuted =
    "--design 'permute by=columns | compress | thread_rows rows=1 | thread_total | global_store | "
    "launch tasks=bytes'";

/// Takes a product of the matrix of CliOwnOrder by the functions of its header.
constexpr const char* caller = R"(#define ALPHASPARSE_OWN_ORDER
#include <assert.h>
#include "m.cpu.h"
int main() {
  alphasparse_handle* handle;
  const int32_t *rows, *columns;
  const float x[4] = {1, 2, 3, 4};
  float own_x[4], own_y[3], y[3];
  assert(m_cpu_load("m.cpu.safetensors", &handle) == alphasparse_ok);
  assert(m_cpu_order(handle, &rows, &columns) == alphasparse_ok);
  assert(rows[0] == 1 && rows[1] == 2 && rows[2] == 0);
  assert(columns[0] == 0 && columns[1] == 3 && columns[2] == 1 && columns[3] == 2);
  assert(m_cpu_to_own(handle, x, own_x) == alphasparse_ok && own_x[1] == 4);
  assert(m_cpu_spmv(handle, own_x, own_y, 1, 0) == alphasparse_ok);
  assert(m_cpu_from_own(handle, y, own_y) == alphasparse_ok);
  assert(y[0] == 10 && y[1] == 0 && y[2] == 19);
  const alphasparse_kernel* kernel = m_cpu_interface();
  assert(kernel->version == ALPHASPARSE_OWN_ORDER_VERSION && kernel->own_order == 1);
  assert(kernel->to_own(handle, 0, own_x, 0) == alphasparse_bad_argument);
  m_cpu_free(handle);
}
)";

struct CliOwnOrder : ::testing::Test {
  CliOwnOrder() {
    // rows {2, 3}, none and {1, 4}, by columns: the empty one, then that of column 1
    set_contents(folder / "m.mtx",
                 "%%MatrixMarket matrix coordinate real general\n3 4 4\n"
                 "1 2 2\n1 3 2\n3 1 3\n3 4 4\n");
  }

  CliOutcome emit(const std::string& arguments) {
    return run_cli(folder,
                   fmt::format("emit m.mtx --device cpu:1 -o out {} {}", permuted, arguments));
  }

  CommandOutcome run_in_folder(const std::string& command) {
    return run_command(fmt::format("cd {}/out && {}", folder.path().string(), command));
  }

  TestFolder folder;
};

TEST_F(CliOwnOrder, ProgramsAndCallersMoveTheirVectors) {
  for (const std::string form : {"", "--runtime shared"}) {
    const CliOutcome emitted = emit("--vectors-order own " + form);
    ASSERT_EQ(emitted.status, 0) << emitted.err;
    EXPECT_NE(emitted.out.find("x and y stay in an order of the kernel's own"), std::string::npos);
    const CommandOutcome program = run_in_folder(
        "g++ -std=c++17 -fopenmp -Wall -Wextra -Werror -O1 -DALPHASPARSE_MAIN m.cpu.cpp -o m && "
        "./m --repeat 1");
    EXPECT_EQ(program.status, 0) << program.output;
    EXPECT_NE(program.output.find("other values: right"), std::string::npos) << program.output;
    set_contents(folder / "out/caller.cpp", caller);
    const CommandOutcome called =
        run_in_folder("g++ -std=c++17 -fopenmp -O1 caller.cpp m.cpu.cpp -o caller && ./caller");
    EXPECT_EQ(called.status, 0) << called.output;
  }
}

TEST_F(CliOwnOrder, ACallerThatKnowsNothingOfItIsRefused) {
  ASSERT_EQ(emit("--vectors-order own").status, 0);
  set_contents(folder / "out/caller.c", "#include \"m.cpu.h\"\nint main(void) { return 0; }\n");
  const CommandOutcome built = run_in_folder("gcc -fsyntax-only caller.c");
  EXPECT_NE(built.status, 0);
  EXPECT_NE(built.output.find("then define ALPHASPARSE_OWN_ORDER"), std::string::npos);
  EXPECT_EQ(run_in_folder("gcc -fsyntax-only -DALPHASPARSE_OWN_ORDER caller.c").status, 0);
}

TEST_F(CliOwnOrder, OnlyTheOptionAllowsIt) {
  const CliOutcome refused = emit("");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("add --vectors-order own"), std::string::npos) << refused.err;
  // a path whose neighbours are far apart
  std::string square = "%%MatrixMarket matrix coordinate real general\n2048 2048 4096\n";
  const auto name = [](int place) { return place * 877 % 2048 + 1; };
  for (int place = 0; place < 2048; ++place)
    square += fmt::format("{0} {0} 1\n{0} {1} 1\n", name(place), name(place + 1));
  set_contents(folder / "square.mtx", square);
  for (const std::string order : {"given", "own"}) {
    const CliOutcome tuned =
        run_cli(folder,
                "tune square.mtx --device emulated:h200 --trials 12 --time 10m --db t.db -o "
                "out --json --explain --vectors-order " +
                    order);
    ASSERT_EQ(tuned.status, 0) << tuned.err;
    const json result = json::parse(tuned.out);
    EXPECT_EQ(result["vectors_order"], order);
    int verified = 0;
    for (const json& outcome : result["outcomes"]) {
      const bool is_own = outcome["design"].get<std::string>().starts_with("permute ");
      verified += is_own && outcome["status"] == "ok";
    }
    EXPECT_EQ(verified > 0, order == "own");
    ASSERT_EQ(result.contains("own_order"), order == "own");
    if (order == "given") continue;
    const json& worth = result["own_order"];
    EXPECT_EQ(worth["orders"][0]["why_not"], "");
    EXPECT_LT(worth["orders"][0]["lines_ratio"], 0.6);
    EXPECT_EQ(worth["orders"].size(), 5U);
  }
}

TEST_F(CliOwnOrder, BenchTakesThemWithTheOptionAlone) {
  set_contents(folder / "designs", std::string(permuted).substr(10, std::strlen(permuted) - 11));
  for (const std::string option : {"", "--vectors-order own"}) {
    const CliOutcome benched =
        run_cli(folder, "bench m.mtx --device cpu:1 --designs @designs --quiet --json " + option);
    EXPECT_EQ(benched.status, option.empty() ? 3 : 0) << benched.err;
  }
}

/// The kernel names the digest of its own order, as of all that addresses rest on.
TEST_F(CliOwnOrder, AFileOfAnotherOrderIsRefusedBeforeTheFirstProduct) {
  ASSERT_EQ(emit("--vectors-order own").status, 0);
  ASSERT_EQ(run_in_folder("g++ -std=c++17 -fopenmp -O0 -DALPHASPARSE_MAIN m.cpu.cpp -o m").status,
            0);
  const std::string file = (folder / "out/m.cpu.safetensors").string(),
                    own = contents(folder / "out/m.cpu.safetensors");
  std::string forged = own;  // rows 1, 2 and 0 become 1, 1 and 0: no order at all
  const char rows[] = {1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0};
  const std::size_t place = own.find(std::string(rows, sizeof rows));
  ASSERT_NE(place, std::string::npos);
  forged[place + 4] = 1;
  set_contents(file, forged);
  CommandOutcome refused = run_in_folder("./m 2>&1");
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(std::regex_search(refused.output, std::regex("^[^\n]*damaged[^\n]*\n$")))
      << refused.output;
  const CliOutcome given =
      run_cli(folder, "emit m.mtx --device cpu:1 -o out --name given --design csr-scalar");
  ASSERT_EQ(given.status, 0) << given.err;
  refused = run_in_folder("./m given.cpu.safetensors 2>&1");
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(std::regex_search(
      refused.output, std::regex("^[^\n]*not the file that this kernel was made with[^\n]*\n$")))
      << refused.output;
}

}  // namespace
}  // namespace alphasparse
