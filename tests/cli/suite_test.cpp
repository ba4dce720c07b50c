// ctest label: emulator
// cli_suite: the suite over files, folders and twins, on the emulator.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/cli.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

struct CliSuite : ::testing::Test {
  TestFolder folder;

  CommandOutcome suite(const std::string& arguments) {
    return run_command(fmt::format("cd '{}' && '{}/tools/bench_suite' {} 2>&1",
                                   folder.path().string(), ALPHASPARSE_BINARY_DIR, arguments));
  }
};

TEST_F(CliSuite, RealMatricesAndTwinsStandApart) {
  std::filesystem::create_directory(folder / "all");
  set_contents(folder / "all/m.mtx",
               "%%MatrixMarket matrix coordinate real general\n"
               "5 4 7\n1 1 1.5\n1 3 -2\n3 2 3\n4 1 0.25\n4 2 5\n4 4 7\n5 4 -1\n");
  set_contents(folder / "all/broken.mtx", "%%MatrixMarket matrix coordinate real general\n5 4\n");
  set_contents(folder / "all/notes.txt", "no matrix");
  const CommandOutcome outcome = suite(
      "all --twins delaunay_n22,GL7d20 --twin-nnz 2000 --device emulated:h200 --dtype f32 --cache "
      "warm --time 300 --time-each 8 --json out.json");
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("broken: all/broken.mtx:2:"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("real f32 warm     1 searched, "), std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("twin f32 warm     2 searched, "), std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("times the best named design in geometric mean"),
            std::string::npos);
  const auto json = nlohmann::json::parse(std::ifstream(folder / "out.json"));
  EXPECT_EQ(json["kind"], "modelled");
  EXPECT_EQ(json["planned"], 4);
  ASSERT_EQ(json["rows"].size(), 4u);
  int timed = 0;
  for (const auto& row : json["rows"]) {
    if (row["winner"].is_null()) continue;
    ++timed;
    EXPECT_GE(row["ahead"], 0.98) << "a search is never behind the named designs, but for ties";
    EXPECT_TRUE(row["vendor"].is_null());
    EXPECT_LE(row["nnz"], 3000);
  }
  EXPECT_EQ(timed, 3);
  EXPECT_EQ(json["groups"].size(), 2u);
}

TEST_F(CliSuite, SeveralVectorsHaveLibrariesForAsMany) {
  set_contents(folder / "m.mtx",
               "%%MatrixMarket matrix coordinate real general\n"
               "5 4 7\n1 1 1.5\n1 3 -2\n3 2 3\n4 1 0.25\n4 2 5\n4 4 7\n5 4 -1\n");
  const std::string words =
      "m.mtx --device cpu:1 --dtype f64 --cache warm --time 60 --time-each 2 ";
  const CommandOutcome outcome = suite(words + "--vectors 4 --json out.json");
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("times measured, 4 vectors\n"), std::string::npos)
      << outcome.output;
  const auto json = nlohmann::json::parse(std::ifstream(folder / "out.json"));
  EXPECT_EQ(json["vectors"], 4);
  const auto& row = json["rows"][0];
  const auto is_loop = [](const auto& one) { return one["design"] == "openmp-csr-calls"; };
  EXPECT_TRUE(std::any_of(row["vendor_outcomes"].begin(), row["vendor_outcomes"].end(), is_loop));
  const double us = row["winner"]["time_us"], bytes = row["winner"]["format_bytes"];
  EXPECT_NEAR(row["gb_per_s"].get<double>(), (bytes + (5 + 4) * 4 * 8) / us / 1e3, 1e-9);
  EXPECT_EQ(suite(words + "--vectors 3").status, 2);
}

TEST_F(CliSuite, TheTableIsPrintedWhateverBecomesOfTheJson) {
  const CommandOutcome outcome = suite(
      "--twins GL7d20 --twin-nnz 2000 --device emulated:h200 --dtype f32 --cache warm --time 5 "
      "--json nowhere/out.json");
  EXPECT_EQ(outcome.status, 2) << outcome.output;
  EXPECT_NE(outcome.output.find("twin f32 warm     1 searched, "), std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("bench_suite: error: cannot write nowhere/out.json"),
            std::string::npos)
      << outcome.output;
}

TEST_F(CliSuite, WhereNoSearchHasTimeItSaysSo) {
  const CommandOutcome outcome = suite(
      "--twins GL7d20 --twin-nnz 2e6 --device emulated:h200 --dtype f32 --time 1 --json o.json");
  EXPECT_EQ(outcome.status, 3) << outcome.output;
  EXPECT_NE(
      outcome.output.find("left out twin f32 warm: GL7d20: its share of the time, 1 s, does "),
      std::string::npos)
      << outcome.output;
  EXPECT_NE(outcome.output.find("bench_suite: error: no search was begun; GL7d20: its share"),
            std::string::npos)
      << outcome.output;
  const auto json = nlohmann::json::parse(std::ifstream(folder / "o.json"));
  EXPECT_EQ(json["planned"], 2);
  EXPECT_EQ(json["left_out"].size(), 2U);
  EXPECT_TRUE(json["rows"].empty());
}

TEST_F(CliSuite, ALimitOfTheSizeOfFilesEndsItWithAnError) {
  const CommandOutcome outcome = run_command(
      fmt::format("cd '{}' && ulimit -f 0 && '{}/tools/bench_suite' --twins GL7d20 --twin-nnz 2000 "
                  "--device emulated:h200 2>&1",
                  folder.path().string(), ALPHASPARSE_BINARY_DIR));
  EXPECT_EQ(outcome.status, 4) << outcome.output;
  EXPECT_NE(outcome.output.find("File too large"), std::string::npos) << outcome.output;
}

TEST_F(CliSuite, BadInputsEndBeforeAnyWork) {
  std::filesystem::create_directory(folder / "all");
  const auto expect = [&](const std::string& arguments, int status, const std::string& text) {
    const CommandOutcome outcome = suite(arguments);
    EXPECT_EQ(outcome.status, status) << outcome.output;
    EXPECT_NE(outcome.output.find(text), std::string::npos) << outcome.output;
    EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1);
  };
  expect("", 2, "nothing to search");
  expect("--twins none", 2, "nothing to search");
  const std::string text = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n";
  set_contents(folder / "all/m.mtx", text);
  expect("all --json all/m.mtx", 2, "all/m.mtx is the file of a matrix that is read");
  EXPECT_EQ(contents(folder / "all/m.mtx"), text);
  expect("--twins nobody", 2, "no twin is called 'nobody'");
  expect(". --device emulated", 2, "no matrix is in it");
  expect("--twins ldoor --cache hot", 2, "--cache");
  expect("--twins ldoor --time 0", 2, "--time");
  expect("--twins ldoor --device cuda:9", 4, "cuda");
}

}  // namespace
}  // namespace alphasparse
