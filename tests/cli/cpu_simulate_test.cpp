// cli_cpu_simulate: a corpus is recorded on this processor - one matrix at a time, interrupted,
// gone on with - and replayed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "runtime/system/sqlite.h"
#include "tests/support/cli.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct CliCpuSimulate : ::testing::Test {
  CliCpuSimulate() {
    fs::create_directory(folder / "corpus");
    for (const char* const name : {"karate.mtx.gz", "lp_afiro.mtx.gz"}) {
      fs::copy_file(fs::path(ALPHASPARSE_SOURCE_DIR) / "examples" / name, folder / "corpus" / name);
    }
  }

  json simulate(const std::string& options, const std::string& environment = "") {
    const CliOutcome outcome =
        run_cli(folder, "simulate corpus --json --quiet --variants whole --seeds 1 " + options,
                environment);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return json::parse(outcome.out);
  }

  TestFolder folder;
};

TEST_F(CliCpuSimulate, IsRecordedOneMatrixAtATimeAndReplayedWithoutATrial) {
  const std::string plan = "--wait 0 --evaluations 5";
  const json recorded = simulate("--record --device cpu:1 " + plan);
  EXPECT_GE(recorded["recorded"], 10);
  ASSERT_EQ(recorded["matrices"].size(), 2u);
  for (const json& matrix : recorded["matrices"]) {
    EXPECT_EQ(matrix["kind"], "measured");
    EXPECT_NE(matrix["best_design"].get<std::string>().find("tasks=bytes"), std::string::npos);
    EXPECT_GT(matrix["named_us"], 0);
  }
  const json replayed = simulate(plan, "ALPHASPARSE_CXX=/nowhere/g++");
  EXPECT_EQ(replayed["recorded"], 0);
  EXPECT_EQ(replayed["matrices"], recorded["matrices"]);
  EXPECT_EQ(replayed["variants"][0]["missing"], 0);
  EXPECT_TRUE(replayed["matrices"][0]["spread"].is_null());
  // A recording is its own repetition without any spread; a folder without one is refused.
  EXPECT_EQ(simulate(plan + " --repeated corpus")["variants"].back()["slower"], 0);
  const CliOutcome refused = run_cli(folder, "simulate corpus --repeated .");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("--repeated .: nothing is recorded there"), std::string::npos);
  const json in_turn = simulate(plan + " --in-turn --device cpu:1");
  EXPECT_EQ(in_turn["variants"].back()["tied"], 2);
  EXPECT_EQ(in_turn["matrices"][0]["in_turn"].size(), 1u);
  EXPECT_EQ(run_cli(folder, "simulate corpus --in-turn").status, 2);
  // In the order of time no matrix comes twice.
  Sqlite database((folder / "corpus/corpus.db").string());
  SqlStatement row(database,
                   "SELECT run.problem FROM measurement JOIN run ON run.key = measurement.run "
                   "ORDER BY measurement.created_at");
  std::set<std::string> seen;
  std::string last;
  while (row.step()) {
    if (row.text(0) == last) continue;
    last = row.text(0);
    EXPECT_TRUE(seen.insert(last).second) << "two at once";
  }
  EXPECT_EQ(seen.size(), 2u);
}

TEST_F(CliCpuSimulate, WhatWasInterruptedGoesOn) {
  fs::remove(folder / "corpus/lp_afiro.mtx.gz");
  const auto count = [&](const std::string& which) {
    return Sqlite((folder / "corpus/corpus.db").string())
        .integer("SELECT count(*) FROM measurement" + which);
  };
  // Interrupted a little later each time, until the first trial was recorded.
  CliOutcome stopped;
  for (int seconds = 4; seconds < 100; seconds *= 2) {
    stopped = run_cli(folder,
                      "simulate corpus --quiet --variants whole --seeds 1 --record "
                      "--device cpu:1 --wait 0 --evaluations 5000",
                      fmt::format("timeout --foreground --signal=INT {}", seconds));
    if (fs::exists(folder / "corpus/corpus.db") && count("") > 0) break;
  }
  EXPECT_NE(stopped.err.find("trials were recorded and stay"), std::string::npos) << stopped.err;
  const auto before = count("");
  const auto tried = count(" WHERE status NOT IN ('duplicate', 'pruned')");
  EXPECT_GT(tried, 0);
  const std::string plan =
      "--record --device cpu:1 --wait 0 --evaluations " + std::to_string(tried + 1);
  const json rest = simulate(plan);
  EXPECT_GT(rest["recorded"], 0);
  EXPECT_EQ(count(""), before + rest["recorded"].get<std::int64_t>());
  EXPECT_EQ(simulate(plan)["recorded"], 0);
  EXPECT_EQ(
      Sqlite((folder / "corpus/corpus.db").string())
          .integer("SELECT count(*) FROM (SELECT 1 FROM measurement JOIN run ON run.key = run "
                   "GROUP BY problem, design HAVING count(*) > 1)"),
      0);
}

}  // namespace
}  // namespace alphasparse
