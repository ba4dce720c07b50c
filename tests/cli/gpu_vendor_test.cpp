// cli_gpu_vendor: the vendor's library on a GPU, beside designs: in a search and in bench_suite.
// Fakes of NVIDIA's libraries stand in the GPU's place. ctest label: emulator
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "runtime/device/baseline_kernels.h"
#include "tests/cli/gpu_fixture.h"
#include "tests/fakes/fake_faults.h"
#include "tests/support/cli.h"
#include "tests/support/fake_gpu.h"

namespace alphasparse {
namespace {

TEST_F(CliGpu, WithoutTheVendorsLibraryTuneSaysSo) {
  setenv("ALPHASPARSE_LIBCUSPARSE", "/nowhere/libcusparse.so", 1);
  const CliOutcome outcome = run("tune m.mtx --trials 3 --db t.db -o out -v");
  setenv("ALPHASPARSE_LIBCUSPARSE", FAKE_CUDA, 1);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("baseline not measured: cuSPARSE is missing: looked for /nowhere/"),
            std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("; without a time: cuSPARSE (not installed); only 3 designs tried;"),
            std::string::npos)
      << outcome.out;
}

TEST_F(CliGpu, TheVendorsTwoBestAreInTheFinals) {
  const CliOutcome outcome = run("tune m.mtx --trials 3 --db t.db -o out");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(baseline_trials(true), 2);
}

/// The least time of the vendor's algorithms, as a report lists them.
double least_us(const json& outcomes) {
  double least = 1e9;
  for (const json& outcome : outcomes) {
    if (outcome["status"] == "ok") least = std::min(least, outcome["time_us"].get<double>());
  }
  return least;
}

// Two of the vendor's lie on the GPU in the finals, and each then takes twice as long as alone.
TEST_F(CliGpu, TheVendorsFigureIsTheLeastTimeOfAnyOfItsAlgorithms) {
  const json fair = tune("--trials 3 -o out");
  setenv("FAKE_VENDOR_CROWDED_US", "50", 1);
  const json crowded = tune("--trials 3 --fresh -o out");
  EXPECT_NEAR(crowded["vendor"]["time_us"], fair["vendor"]["time_us"], 10);
  EXPECT_EQ(crowded["vendor"]["time_us"], least_us(crowded["peers"])) << crowded["peers"];
  EXPECT_NEAR(crowded["times_vendor"].get<double>(),
              crowded["vendor"]["time_us"].get<double>() / crowded["time_us"].get<double>(), 1e-9);
  const auto note = crowded["vendor"]["note"].get<std::string>();
  EXPECT_NE(note.find("; in turn 1"), std::string::npos) << "the other time is told: " << note;
  EXPECT_GE(by_design(crowded)[crowded["design"]]["rounds"], 10) << "ours is the time in turn";
  unsetenv("FAKE_VENDOR_CROWDED_US");
  const json again =
      json::parse(run_cli(folder, "tune m.mtx --device cuda:0 --db t.db --json --trials 3").out);
  EXPECT_EQ(again["tier"], "exact");
  EXPECT_EQ(again["vendor"], crowded["vendor"]) << "as the database has it";
}

TEST_F(CliGpu, TheVendorsLibraryHasItsVersion) {
  const json tuned = tune("--trials 3 -o out");
  EXPECT_EQ(tuned["vendor"]["library"], "cuSPARSE");
  EXPECT_EQ(tuned["vendor"]["version"], "12.9.4");
  EXPECT_EQ(tuned["vendor_algorithms"], 10);
  EXPECT_EQ(tuned["vendor_tried"], 10) << "one is refused by its own rule";
  ASSERT_EQ(tuned["peers"].size(), 10U);
  for (const json& peer : tuned["peers"]) EXPECT_EQ(peer["version"], "12.9.4") << peer;
  const CliOutcome text = run("tune m.mtx --trials 3 --db t.db -o out --explain");
  EXPECT_NE(text.out.find("version  cuSPARSE 12.9.4; 10 of 10 algorithms tried\n"),
            std::string::npos)
      << text.out;
  const std::string some = "bench m.mtx --designs csr5,cusparse-csr-2,cusparse-bsr";
  const json benched = json::parse(run(some + " --json").out)["matrices"][0];
  EXPECT_EQ(benched["vendor"]["version"], "12.9.4");
  EXPECT_EQ(benched["vendor_algorithms"], 10);
  EXPECT_EQ(benched["vendor_tried"], 2);
  for (const json& peer : benched["peers"]) EXPECT_EQ(peer["version"], "12.9.4") << peer;
  const CliOutcome table = run(some + " --report page.html");
  EXPECT_NE(table.out.find("cuSPARSE 12.9.4; 2 of 10 algorithms tried"), std::string::npos)
      << table.out;
  const std::string page = contents(folder / "page.html");
  EXPECT_NE(page.find("2 of 10 peers were tried; the fastest is cusparse-csr-2 (cuSPARSE 12.9.4)"),
            std::string::npos);
}

// As where a matrix is so large that preparing any of them takes seconds.
TEST_F(CliGpu, TheVendorTakesABoundedShareOfTheTime) {
  setenv("FAKE_VENDOR_SECONDS", "1", 1);
  const CliOutcome outcome = run("tune m.mtx --time 6s --db t.db -o out -v");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_GE(baseline_trials(), 1) << "one in any case";
  EXPECT_LE(baseline_trials(), 2);
  EXPECT_GE(recorded().size(), 2U) << "there is time for more than a first design of ours";
  EXPECT_NE(outcome.out.find(" cusparse-csr-1 ("), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find(" algorithms of baselines: the baselines' share of the time was over"),
            std::string::npos)
      << outcome.out;
}

TEST_F(CliGpu, TheSuiteMeasuresAllOfTheVendorsBeforeASearch) {
  const auto suite = [&](const std::string& arguments) {
    const CommandOutcome outcome = run_command(fmt::format(
        "cd '{}' && '{}/tools/bench_suite' m.mtx --device cuda:0 --dtype f32 --cache warm "
        "--twins none --time-each 2 --json s.json {} 2>errors",
        folder.path().string(), ALPHASPARSE_BINARY_DIR, arguments));
    EXPECT_EQ(outcome.status, 0) << outcome.output << contents(folder / "errors");
    return std::pair{json::parse(contents(folder / "s.json")), outcome.output};
  };
  setenv("FAKE_VENDOR_SECONDS", "0.4", 1);  // a fifth of a search is a second
  setenv("FAKE_VENDOR_CROWDED_US", "50", 1);
  const auto [all, text] = suite("--time 60");
  const json row = all["rows"][0];
  EXPECT_EQ(row["vendor_algorithms"], 10);
  EXPECT_EQ(row["vendor_tried"], 10);
  EXPECT_EQ(row["vendor_untried"], 0);
  EXPECT_EQ(row["vendor"]["version"], "12.9.4");
  EXPECT_GE(row["vendor_seconds"], 2.8);
  EXPECT_EQ(row["vendor"]["time_us"], least_us(row["vendor_outcomes"])) << row["vendor_outcomes"];
  EXPECT_LT(row["vendor"]["time_us"], 80) << "not the time in turn";
  EXPECT_EQ(all["groups"][0]["partial"], 0);
  EXPECT_NE(text.find("vendor   cuSPARSE 12.9.4\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" 10 of 10 "), std::string::npos) << text;

  setenv("FAKE_VENDOR_SECONDS", "1", 1);  // of seven
  const auto [few, few_text] = suite("--time 3");
  EXPECT_GE(few["rows"][0]["vendor_untried"], 4);
  EXPECT_EQ(few["groups"][0]["compared"], 0);
  EXPECT_EQ(few["groups"][0]["partial"], 1);
  EXPECT_EQ(few_text.find("geometric mean"), std::string::npos) << few_text;
}

TEST_F(CliGpu, ManyTunedMatricesHaveAMeanBesideAllOfTheVendors) {
  set_contents(folder / "n.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 1\n");
  const std::string words = "tune m.mtx n.mtx --trials 2 --db t.db -o out";
  const CliOutcome whole = run(words + " --time 60s");
  EXPECT_NE(whole.out.find("times as fast as the best baseline, in geometric mean over 2"),
            std::string::npos)
      << whole.out;
  setenv("FAKE_VENDOR_SECONDS", "1", 1);
  const CliOutcome partial = run(words + " --time 5s --fresh");
  EXPECT_EQ(partial.out.find("the best baseline, in geometric mean"), std::string::npos)
      << partial.out;
  EXPECT_NE(
      partial.out.find("untried  some of the baselines' algorithms, so not in that mean: m (1 "
                       "of 10), n (1 of 10)"),
      std::string::npos)
      << partial.out;
}

TEST_F(CliGpu, BesideMatricesTheSuiteMakesTwoTwins) {
  const CommandOutcome outcome = run_command(fmt::format(
      "cd '{}' && '{}/tools/bench_suite' m.mtx --device cuda:0 --dtype f32 --cache warm "
      "--twin-nnz 2000 --time 600 --time-each 1 --json s.json 2>errors",
      folder.path().string(), ALPHASPARSE_BINARY_DIR));
  ASSERT_EQ(outcome.status, 0) << outcome.output << contents(folder / "errors");
  const json result = json::parse(contents(folder / "s.json"));
  EXPECT_EQ(result["planned"], 3);
  std::set<std::string> names;
  for (const json& row : result["rows"]) names.insert(row["matrix"]);
  EXPECT_EQ(names, (std::set<std::string>{"audikw_1", "kron_g500-logn18", "m"}));
}

TEST_F(CliGpu, TheSuiteListsLossesFirst) {
  const CommandOutcome outcome = run_command(
      fmt::format("cd '{}' && '{}/tools/bench_suite' m.mtx --twins GL7d20 --twin-nnz 2000 "
                  "--device cuda:0 --dtype f32 --time 600 --time-each 2 --json s.json 2>errors",
                  folder.path().string(), ALPHASPARSE_BINARY_DIR));
  ASSERT_EQ(outcome.status, 0) << outcome.output << contents(folder / "errors");
  EXPECT_NE(outcome.output.find("times the vendor's best in geometric mean"), std::string::npos)
      << outcome.output;
  const json result = json::parse(contents(folder / "s.json"));
  ASSERT_EQ(result["rows"].size(), 4U);
  EXPECT_EQ(result["groups"].size(), 4U);
  int losses = 0;
  for (const json& row : result["rows"]) {
    EXPECT_NEAR(row["ahead"].get<double>(),
                row["vendor"]["time_us"].get<double>() / row["winner"]["time_us"].get<double>(),
                1e-9);
    EXPECT_GT(row["copy_share"], 0);
    EXPECT_GT(row.value("memory_share", 0.0), 0);
    ASSERT_TRUE(row.contains("any_values"));
    EXPECT_NEAR(row["ahead_any_values"].get<double>(),
                row["vendor"]["time_us"].get<double>() / row["any_values"]["time_us"].get<double>(),
                1e-9);
    losses += row["ahead_any_values"] < 1;
  }
  EXPECT_NE(outcome.output.find("any values: "), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("these values: "), std::string::npos) << outcome.output;
  // All losses stand above all others.
  const std::size_t last_loss = outcome.output.rfind(" LOSS ");
  EXPECT_EQ(last_loss != std::string::npos, losses > 0) << outcome.output;
  std::size_t rows = 0;
  for (std::size_t at = 0; (at = outcome.output.find(" LOSS ", at)) != std::string::npos; ++at)
    ++rows;
  EXPECT_EQ(rows, losses);
}

// The fake's L2 holds 1 MiB.
TEST_F(CliGpu, TheSuiteSaysWhatLiesBeyondL2) {
  const auto suite = [&](const std::string& arguments) {
    const CommandOutcome outcome = run_command(fmt::format(
        "cd '{}' && '{}/tools/bench_suite' --twins GL7d20 --device cuda:0 --dtype f32 --cache warm "
        "--time 8 --time-each 1 --json s.json {} 2>errors",
        folder.path().string(), ALPHASPARSE_BINARY_DIR, arguments));
    EXPECT_EQ(outcome.status, 0) << outcome.output << contents(folder / "errors");
    return std::pair{json::parse(contents(folder / "s.json"))["rows"][0], outcome.output};
  };
  const auto [small, small_text] = suite("--twin-nnz 2000");
  ASSERT_TRUE(small.contains("beyond_l2")) << small;
  EXPECT_EQ(small["beyond_l2"], false);
  EXPECT_NE(small_text.find("under 3 L2"), std::string::npos) << small_text;
  const auto [large, large_text] = suite("");
  EXPECT_EQ(large["beyond_l2"], true) << large_text;
  for (const char* const contender : {"winner", "vendor"}) {
    EXPECT_GT(large[contender]["format_bytes"], 3 << 20) << contender;
  }
  EXPECT_LT(large["nnz"], 1'000'000) << "no larger than this GPU wants";
  EXPECT_EQ(large_text.find("under 3 L2"), std::string::npos) << large_text;
  EXPECT_NE(large_text.find("1 of 1 beyond 3 L2"), std::string::npos) << large_text;
}

}  // namespace
}  // namespace alphasparse
