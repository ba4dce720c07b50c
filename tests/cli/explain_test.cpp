// cli_explain: the output of tune --explain for a shipped matrix, as text and as JSON, on the
// emulator. ctest label: emulator
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

using nlohmann::json;

struct CliExplain : ::testing::Test {
  TestFolder folder;

  CliOutcome tune(const std::string& arguments) {
    return run_cli(folder, "tune " ALPHASPARSE_SOURCE_DIR
                           "/examples/rajat19.mtx.gz --trials 16 --explain "
                           "--device emulated:h200 --db t.db " +
                               arguments);
  }

  json tune_json(const std::string& arguments = "") {
    const CliOutcome outcome = tune("--json " + arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return json::parse(outcome.out);
  }
};

TEST_F(CliExplain, TellsWhyTheWinnerWon) {
  const json result = tune_json();
  const json& why = result["explanation"];
  EXPECT_EQ(why["tier"], "none");
  EXPECT_EQ(why["winner"]["design"], result["design"]);
  EXPECT_GT(result["model"]["designs"], 10);
  EXPECT_TRUE(result["model"]["batches"].is_array());
  EXPECT_EQ(why["explained"], result["design"]);
  for (const char* who : {"winner", "pfs"}) {
    const json& limits = why[who]["limits"];
    EXPECT_EQ(limits.size(), 9u) << limits;
    EXPECT_EQ(limits["launch_floor_us"], 1.26) << who;
    EXPECT_GT(limits["longest_warp_us"], 0) << who;
    EXPECT_TRUE(limits["bound_by"].is_string()) << who;
    EXPECT_GT(why[who]["sectors"], 0) << who;
  }
  EXPECT_EQ(why["winner"]["time_ratio"], 1);
  EXPECT_GE(why["tried"], 1);
  EXPECT_LE(why["tried"], 24);
  double last = 1e9;
  int timed = 0;
  for (const json& step : why["steps"]) {
    EXPECT_EQ(step["legal"], step.contains("design")) << step;
    EXPECT_EQ(step["legal"], !step.contains("why_not")) << step;
    if (!step.contains("time_ratio") || step["time_ratio"].is_null()) continue;
    ++timed;
    EXPECT_LE(step["time_ratio"], last) << "by effect";
    const double least = step["bytes_ratio"] > 1 ? 0.98 : 0.998;  // of a tie the smaller one wins
    EXPECT_GE(step["time_ratio"], least) << "else it would be the winner";
    EXPECT_EQ(step["tie"], step["time_ratio"].get<double>() <= 1.2);
    EXPECT_GT(step["bytes_ratio"], 0);
    last = step["time_ratio"];
  }
  EXPECT_GE(timed, 2);
  EXPECT_TRUE(why["runner_up"]["design"].is_string());
  EXPECT_TRUE(why["beaten"].is_array());
  EXPECT_NE(why["pruned"].dump().find("N bytes with pads are N times the matrix's"),
            std::string::npos)
      << why["pruned"];
  EXPECT_FALSE(json::parse(run_cli(folder, "tune " ALPHASPARSE_SOURCE_DIR
                                           "/examples/rajat19.mtx.gz --trials 16 --json "
                                           "--device emulated:h200 --db t.db")
                               .out)
                   .contains("explanation"));
}

TEST_F(CliExplain, WhatIsKnownIsNotTriedAgain) {
  const json first = tune_json();
  EXPECT_GE(first["explanation"]["tried"], first["trials_now"].get<int>() - 16);
  EXPECT_GT(first["trials_now"], 16) << "which --trials does not bound";
  const json second = tune_json();
  EXPECT_EQ(second["tier"], "exact");
  EXPECT_EQ(second["trials_now"], 0);
  EXPECT_EQ(second["trials"], first["trials"]) << "the database has the reverted designs too";
  EXPECT_EQ(second["explanation"]["tried"], 0);
  EXPECT_EQ(second["explanation"]["winner"], first["explanation"]["winner"])
      << "limits included, which are modelled again";
  ASSERT_EQ(second["explanation"]["steps"].size(), first["explanation"]["steps"].size());
  for (std::size_t i = 0; i < first["explanation"]["steps"].size(); ++i)
    EXPECT_EQ(second["explanation"]["steps"][i]["what"], first["explanation"]["steps"][i]["what"]);
}

TEST_F(CliExplain, TrialsThatExplainAreNotTakenFromTheSearch) {
  const json first = tune_json();
  const std::string further = "tune " ALPHASPARSE_SOURCE_DIR
                              "/examples/rajat19.mtx.gz --trials 20 --device emulated:h200 --db "
                              "t.db --json";
  const json second = json::parse(run_cli(folder, further).out);
  EXPECT_EQ(second["tier"], "resumed");
  EXPECT_EQ(second["trials_now"], 4);
  const CliOutcome shown = run_cli(folder, "db show rajat19 --db t.db");
  EXPECT_NE(shown.out.find("no search"), std::string::npos) << shown.out;
}

TEST_F(CliExplain, ExplainsAnAnswerThatWasFoundWithoutIt) {
  const std::string plain = "tune " ALPHASPARSE_SOURCE_DIR
                            "/examples/rajat19.mtx.gz --trials 16 --device emulated:h200 --db t.db "
                            "--json";
  const json before = json::parse(run_cli(folder, plain).out);
  const json after = tune_json();
  EXPECT_EQ(after["tier"], "exact");
  EXPECT_GT(after["explanation"]["tried"], 0);
  EXPECT_GT(after["trials"], before["trials"]);
  EXPECT_LE(after["time_us"], 1.02 * before["time_us"].get<double>())
      << "modelled times tie so far";
  const json again = json::parse(run_cli(folder, plain).out);
  EXPECT_EQ(again["tier"], "exact");
  EXPECT_EQ(again["design"], after["design"]) << "what was found is kept";
}

TEST_F(CliExplain, TextHasALineForEverything) {
  const CliOutcome outcome = tune("");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  for (const char* pattern :
       {"\nmodel    \\d+ designs, 0 from elsewhere", "\ntier     none\n", "\nbeside +winner",
        "\n +launch floor us +1\\.26", "\n +bound by +\\w",
        "\nstep     \\d\\.\\d\\d of the time, \\d\\.\\d\\d of the bytes: \\w",
        "\nstep     not legal: without compress: ", "\nnext     \\w", "times the winner's time",
        "\npruned   \\d+ designs?[:,] "}) {
    EXPECT_TRUE(std::regex_search(outcome.out, std::regex(pattern))) << pattern << outcome.out;
  }
}

}  // namespace
}  // namespace alphasparse
