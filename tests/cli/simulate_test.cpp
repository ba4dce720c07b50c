// cli_simulate: a corpus is recorded, replayed, added to and refused as a user would.
// ctest label: emulator
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct CliSimulate : ::testing::Test {
  TestFolder folder;

  /// A corpus of two small matrices, nothing recorded.
  void make_corpus() {
    fs::create_directory(folder / "corpus");
    for (const char* const name : {"karate.mtx.gz", "lp_afiro.mtx.gz"}) {
      fs::copy_file(fs::path(ALPHASPARSE_SOURCE_DIR) / "examples" / name, folder / "corpus" / name);
    }
  }

  CliOutcome simulate(const std::string& options) {
    return run_cli(folder, "simulate corpus " + options);
  }

  json simulate_json(const std::string& options) {
    const CliOutcome outcome = simulate("--json " + options);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return json::parse(outcome.out);
  }
};

TEST_F(CliSimulate, WhatIsRecordedIsReplayedWithoutATrial) {
  make_corpus();
  const std::string plan = "--evaluations 12 --seeds 2 --variants no-model,chance,shipped";
  const json recorded = simulate_json("--record " + plan);
  EXPECT_GT(recorded["recorded"], 20);
  ASSERT_EQ(recorded["matrices"].size(), 2u);
  EXPECT_EQ(recorded["matrices"][0]["name"], "karate");
  // Without g++ nothing could be tried.
  const CliOutcome outcome = run_cli(folder, "simulate corpus --json " + plan, "PATH=/nowhere");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json replayed = json::parse(outcome.out);
  EXPECT_EQ(replayed["recorded"], 0);
  // Once for the matrices near the launch floor, once for the others, whichever there are.
  std::map<std::string, int> replays;
  for (const json& variant : replayed["variants"]) {
    replays[variant["name"]] += variant["replays"].get<int>();
    EXPECT_EQ(variant["missing"], 0);
    EXPECT_TRUE(variant["near_floor"].is_boolean());
    EXPECT_GE(variant["behind_first"], variant["behind_5_s"]);
    EXPECT_GE(variant["behind_first_most"], variant["behind_first"]);
    EXPECT_GE(variant["behind_5_s"], variant["behind_20_s"]);
  }
  EXPECT_EQ(replays, (std::map<std::string, int>{
                         {"whole", 4}, {"no-model", 4}, {"chance", 4}, {"shipped", 4}}));
  const json& matrix = replayed["matrices"][0];
  EXPECT_GT(matrix["best_us"], 0);
  EXPECT_GE(matrix["named_us"], matrix["best_us"]);
  EXPECT_EQ(matrix["replays"]["whole"], recorded["matrices"][0]["replays"]["whole"]);
  const json again = simulate_json("--record " + plan);
  EXPECT_EQ(again["recorded"], 0);
}

TEST_F(CliSimulate, WhatCannotBeReadIsToldBeforeAnythingIsRecorded) {
  make_corpus();
  set_contents(folder / "corpus/zoo.mtx",
               "%%MatrixMarket matrix coordinate ternary general\n1 1 1\n1 1 1 1\n");
  const std::string plan = "--quiet --evaluations 1 --seeds 1 --variants whole";
  const CliOutcome recorded = simulate("--record " + plan);
  EXPECT_EQ(recorded.status, 2);
  EXPECT_NE(recorded.err.find("zoo.mtx:1: the field 'ternary'"), std::string::npos) << recorded.err;
  fs::remove(folder / "corpus/zoo.mtx");
  const CliOutcome replayed = simulate(plan);
  EXPECT_EQ(replayed.status, 2);
  EXPECT_NE(replayed.err.find("nothing is recorded"), std::string::npos) << replayed.err;
}

TEST_F(CliSimulate, WhatIsMissingIsTold) {
  make_corpus();
  simulate_json("--record --evaluations 12 --seeds 1 --variants whole");
  // The replay asks for designs until it has its thirteenth time; the corpus has twelve.
  const json longer = simulate_json("--evaluations 13 --seeds 1 --variants whole");
  const json& whole = longer["variants"][0];
  EXPECT_GT(whole["missing"], 0.1);
  const json& replay = longer["matrices"][0]["replays"]["whole"][0];
  EXPECT_GE(replay["evaluations"], 10);
  EXPECT_GT(replay["missing"], 0);
  const CliOutcome text = simulate("--evaluations 12 --seeds 1 --variants whole");
  EXPECT_NE(text.out.find("near the launch floor"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("lp_afiro"), std::string::npos) << text.out;
}

TEST_F(CliSimulate, ARecordedCorpusIsATuningDatabase) {
  make_corpus();
  simulate_json("--record --evaluations 12 --seeds 1 --variants whole");
  const CliOutcome verified = run_cli(folder, "db verify --db corpus/corpus.db");
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  // Its runs are no finished searches: tune goes on from them.
  const CliOutcome tuned =
      run_cli(folder,
              "tune corpus/karate.mtx.gz --db corpus/corpus.db --device emulated:h200 "
              "--trials 14 --json");
  ASSERT_EQ(tuned.status, 0) << tuned.err;
  EXPECT_EQ(json::parse(tuned.out)["tier"], "resumed");
}

TEST_F(CliSimulate, ACorpusThatMayNotBeWrittenIsReplayed) {
  if (!without_root()) GTEST_SKIP() << "root cannot become a user here: permissions are not tested";
  make_corpus();
  simulate_json("--record --evaluations 12 --seeds 1 --variants whole");
  fs::permissions(folder.path(), fs::perms(0755));
  fs::permissions(folder / "corpus/corpus.db", fs::perms(0444));
  fs::permissions(folder / "corpus", fs::perms(0555));
  const CliOutcome replayed =
      run_cli(folder, "simulate corpus --json --evaluations 12 --seeds 1 --variants warm",
              without_root().value());
  EXPECT_EQ(replayed.status, 0) << replayed.err;
  EXPECT_FALSE(fs::exists(folder / "corpus/corpus.db-wal"));
  EXPECT_FALSE(fs::exists(folder / "corpus/corpus.db-shm"));
  const CliOutcome recorded =
      run_cli(folder, "simulate corpus --record --quiet --evaluations 12", without_root().value());
  EXPECT_EQ(recorded.status, 5);
  EXPECT_NE(recorded.err.find("cannot be written"), std::string::npos) << recorded.err;
  fs::permissions(folder / "corpus", fs::perms::all);
}

TEST_F(CliSimulate, GpusAreToldApart) {
  make_corpus();
  fs::remove(folder / "corpus/lp_afiro.mtx.gz");
  const std::string plan = "--evaluations 6 --seeds 1 --variants whole ";
  simulate_json("--record " + plan);
  const CliOutcome one = simulate(plan);
  EXPECT_NE(one.out.find(": 1 matrix, replays of"), std::string::npos) << one.out;
  EXPECT_EQ(one.out.find("NVIDIA"), std::string::npos) << "there is but one: " << one.out;
  const std::string h200 = simulate_json(plan)["matrices"][0]["gpu"];
  simulate_json("--record --device emulated:h100 " + plan);
  const json both = simulate_json(plan);
  ASSERT_EQ(both["matrices"].size(), 2u);
  EXPECT_NE(both["matrices"][0]["gpu"], both["matrices"][1]["gpu"]);
  const CliOutcome text = simulate(plan);
  for (const json& matrix : both["matrices"])
    EXPECT_NE(text.out.find(matrix["gpu"].get<std::string>()), std::string::npos) << text.out;
  const json asked = simulate_json("--device emulated:h200 " + plan);
  ASSERT_EQ(asked["matrices"].size(), 1u);
  EXPECT_EQ(asked["matrices"][0]["gpu"], h200);
  EXPECT_EQ(asked["matrices"][0]["kind"], "modelled");
  const CliOutcome bad = simulate("--device banana " + plan);
  EXPECT_EQ(bad.status, 2) << bad.err;
  EXPECT_NE(bad.err.find("no device is called \"banana\""), std::string::npos) << bad.err;
  const CliOutcome missing =
      run_cli(folder, "simulate corpus --device cuda:0", "ALPHASPARSE_LIBCUDA=/nowhere/libcuda.so");
  EXPECT_EQ(missing.status, 4) << missing.err;
}

TEST_F(CliSimulate, WhatCannotBeReplayedIsOneLine) {
  const auto expect_error = [&](const std::string& options, int status, const std::string& text) {
    const CliOutcome outcome = simulate(options);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  };
  expect_error("--quiet", 2, "corpus: no such folder");
  fs::create_directory(folder / "corpus");
  expect_error("--quiet", 2, "no matrix is in it");
  fs::remove(folder / "corpus");
  make_corpus();
  expect_error("--quiet", 2, "corpus.db: nothing is recorded there yet");
  expect_error("--variants fastest", 2,
               "no variant is called 'fastest'; there are whole, no-model,");
  expect_error("--seeds 0", 2, "--seeds wants a whole number of 1 or more");
  simulate_json("--record --evaluations 1 --seeds 1 --variants whole");
  expect_error("--quiet --dtype f64", 2, "nothing is recorded");
  set_contents(folder / "corpus/corpus.db", "this is a letter to my aunt\n");
  expect_error("--quiet", 5, "corpus.db is not a tuning database; name another corpus");
  set_contents(folder / "corpus/corpus.db", "");
  expect_error("--quiet", 5, "corpus.db is empty; name another corpus");
  EXPECT_EQ(contents(folder / "corpus/corpus.db"), "");
}

}  // namespace
}  // namespace alphasparse
