// cli_bench: the named designs side by side, on the emulator.
// ctest label: emulator
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "operators/named_designs.h"
#include "tests/support/cli.h"
#include "tests/support/processes.h"

namespace alphasparse {
namespace {

using nlohmann::json;

struct CliBench : ::testing::Test {
  CliBench() {
    set_contents(folder / "m.mtx",
                 "%%MatrixMarket matrix coordinate real general\n"
                 "5 4 7\n1 1 1.5\n1 3 -2\n3 2 3\n4 1 0.25\n4 2 5\n4 4 7\n5 4 -1\n");
    set_contents(folder / "one.mtx",
                 "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n");
  }

  TestFolder folder;

  CliOutcome bench(const std::string& arguments) {
    return run_cli(folder, "bench " + arguments + " --device emulated:h200");
  }

  void expect_error(const CliOutcome& outcome, int status, const std::string& text) {
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  }
};

TEST_F(CliBench, AListHasADesignALine) {
  const std::string text =
      "compress | thread_rows rows=1 | thread_total | global_store | launch threads=64";
  set_contents(folder / "list", "# two\ncsr-scalar\n\n" + text + "\n");
  const CliOutcome outcome = bench("m.mtx --designs @list --json --quiet");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json designs = json::parse(outcome.out)["matrices"][0]["designs"];
  ASSERT_EQ(designs.size(), 2u);
  EXPECT_EQ(designs[0]["name"], "csr-scalar");
  EXPECT_EQ(designs[1]["name"], text);
  EXPECT_TRUE(designs[1]["verified"]);
  expect_error(bench("m.mtx --designs @nowhere"), 2, "--designs: nowhere cannot be read");
  set_contents(folder / "list", "# none\n");
  expect_error(bench("m.mtx --designs @list"), 2, "--designs: list lists no design");
}

TEST_F(CliBench, EveryNamedDesignHasARow) {
  const CliOutcome outcome = bench("m.mtx --json --quiet");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const json result = json::parse(outcome.out);
  EXPECT_EQ(result["schema"], 1);
  EXPECT_EQ(result["kind"], "modelled");
  EXPECT_EQ(result["interrupted"], false);
  ASSERT_EQ(result["matrices"].size(), 1u);
  const json& matrix = result["matrices"][0];
  EXPECT_EQ(matrix["nnz"], 7);
  EXPECT_EQ(matrix["csr_bytes"], 7 * 8 + 6 * 4);
  ASSERT_EQ(matrix["designs"].size(), named_designs(Target::gpu).size());
  double best = 1e9;
  for (std::size_t i = 0; i < named_designs(Target::gpu).size(); ++i) {
    const json& design = matrix["designs"][i];
    EXPECT_EQ(design["name"], named_designs(Target::gpu)[i].name);
    ASSERT_TRUE(design["verified"].get<bool>() || design.contains("reason")) << design;
    if (!design["verified"].get<bool>()) continue;
    EXPECT_NEAR(design["gflop_per_s"].get<double>(), 2 * 7 / design["time_us"].get<double>() / 1e3,
                1e-9);
    best = std::min(best, design["ratio"].get<double>());
  }
  EXPECT_EQ(best, 1);
}

TEST_F(CliBench, OverSeveralMatricesTheDesignsAreSummedUp) {
  const json result =
      json::parse(bench("m.mtx one.mtx --designs csr-scalar,csr5 --dtype f64 --json").out);
  EXPECT_EQ(result["dtype"], "f64");
  ASSERT_EQ(result["matrices"].size(), 2u);
  EXPECT_EQ(result["matrices"][1]["csr_bytes"], 12 + 8);
  ASSERT_EQ(result["designs"].size(), 2u);
  int wins = 0;
  for (const json& design : result["designs"]) {
    EXPECT_EQ(design["matrices"], 2);
    EXPECT_EQ(design["verified"], 2);
    EXPECT_GE(design["ratio_mean"], 1);
    wins += design["wins"].get<int>();
  }
  EXPECT_GE(wins, 2);
}

TEST_F(CliBench, TheTextLabelsItsTimes) {
  const CliOutcome one = bench("m.mtx --designs csr5");
  EXPECT_NE(one.out.find("us modelled"), std::string::npos) << one.out;
  EXPECT_EQ(one.out.find("wins"), std::string::npos) << "one matrix has no summary";
  const CliOutcome two = bench("m.mtx one.mtx --designs csr5 --cache cold");
  EXPECT_NE(two.out.find("cold caches, times modelled"), std::string::npos) << two.out;
  EXPECT_NE(two.out.find("wins"), std::string::npos) << two.out;
  EXPECT_NE(two.out.find("2 of 2"), std::string::npos) << two.out;
}

TEST_F(CliBench, ATwinNeedsNoFile) {
  const CliOutcome outcome =
      bench("twin:GL7d20:2000 m.mtx --designs csr-scalar --json --json-file all.json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  ASSERT_EQ(result["matrices"].size(), 2u);
  const json& twin = result["matrices"][0];
  EXPECT_EQ(twin["matrix"], "twin:GL7d20:2000");
  EXPECT_EQ(twin["name"], "twin:GL7d20");
  EXPECT_GT(twin["nnz"], 1500);
  EXPECT_LT(twin["nnz"], 2500);
  EXPECT_EQ(twin["designs"][0]["verified"], true);
  EXPECT_EQ(contents(folder / "all.json"), outcome.out);
  const json transposed =
      json::parse(bench("twin:GL7d20:2000 --transpose --designs csr-scalar --json").out);
  EXPECT_EQ(transposed["matrices"][0]["rows"], twin["cols"]);
}

// The second matrix ends the work: the first stands in the file by then.
TEST_F(CliBench, WhateverEndsTheWorkLeavesTheJsonOfWhatIsDone) {
  const pid_t program = start_command(
      folder.path(), std::string(cli_program()) +
                         " bench m.mtx twin:GL7d20:100000 --device emulated:h200 --json-file "
                         "known.json >told 2>errors");
  const auto is_there = [&] { return std::filesystem::exists(folder / "known.json"); };
  EXPECT_TRUE(comes_true(is_there, 120));
  kill(-program, SIGKILL);
  int status = 0;
  waitpid(program, &status, 0);
  const json result = json::parse(contents(folder / "known.json"));
  EXPECT_EQ(result["interrupted"], true) << "there is more to come";
  ASSERT_EQ(result["matrices"].size(), 1u);
  EXPECT_EQ(result["matrices"][0]["name"], "m");
  EXPECT_EQ(result["matrices"][0]["designs"].size(), named_designs(Target::gpu).size());
}

TEST_F(CliBench, BadTwinsEndBeforeAnyWork) {
  expect_error(bench("twin:nobody"), 2, "no twin is called 'nobody'; there are ldoor, audikw_1, ");
  expect_error(bench("m.mtx twin:"), 2, "no twin is called ''; there are ldoor, ");
  for (const char* const nnz : {"", "many", "10", "1e12", "2000x", "-2000", "nan"}) {
    expect_error(bench(fmt::format("twin:GL7d20:{}", nnz)), 2,
                 "behind the twin's name stand its non-zeros at most, 1000 to ");
  }
  expect_error(bench("m.mtx --json-file nowhere/b.json"), 2, "nowhere/b.json");
}

TEST_F(CliBench, BadInputsEndBeforeAnyWork) {
  expect_error(bench(""), 2, "MATRIX is required");
  expect_error(bench("m.mtx --designs nope"), 2, "no design is called 'nope'; there are all, csr-");
  expect_error(bench("m.mtx --designs csr5,"), 2, "no design is called ''");
  expect_error(bench("m.mtx --designs csr5,csr5"), 2, "csr5 is there twice");
  expect_error(bench("m.mtx --cache hot"), 2, "--cache wants warm or cold");
  expect_error(bench("m.mtx missing.mtx"), 2, "missing.mtx");
  expect_error(run_cli(folder, "bench m.mtx --device cuda:7"), 4, "cuda");
}

}  // namespace
}  // namespace alphasparse
