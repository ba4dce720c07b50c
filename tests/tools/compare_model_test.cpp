// compare_model_test: the program on times that were made here - by the model itself with other
// constants, in the wrong order, or not at all.
// ctest label: emulator
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/emulated/gpu_models.h"
#include "runtime/emulated/model_constants.h"
#include "tests/support/cli.h"

namespace alphasparse {
namespace {

using Json = nlohmann::json;

const std::string examples = ALPHASPARSE_SOURCE_DIR "/examples/";
const std::string matrices =
    examples + "rajat19.mtx.gz " + examples + "plskz362.mtx.gz " + examples + "jagmesh7.mtx.gz";

struct CompareModel : ::testing::Test {
  /// What bench models of designs with one launch, called measured.
  Json bench(const std::string& files = matrices) {
    const CliOutcome outcome =
        run_cli(folder, "bench " + files +
                            " --designs csr-scalar,csr-vector,ell,sell-c-sigma,ellpack-r"
                            " --device emulated:h200 --json --quiet");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    Json json = Json::parse(outcome.out);
    EXPECT_EQ(json["kind"], "modelled");
    json["kind"] = "measured";
    json["device"] = "cuda:0";
    json["gpu"]["name"] = "NVIDIA H200";
    return json;
  }

  CliOutcome compare(const Json& measured, const std::string& arguments) {
    set_contents(folder / "measured.json", measured.dump());
    return run(arguments);
  }

  CliOutcome run(const std::string& arguments) {
    const std::string command = "cd '" + folder.path().string() +
                                "' && " ALPHASPARSE_BINARY_DIR "/tools/compare_model " + arguments +
                                " >out 2>err";
    CliOutcome outcome;
    outcome.status = run_command(command).status;
    outcome.out = contents(folder / "out");
    outcome.err = contents(folder / "err");
    return outcome;
  }

  void expect_refusal(const CliOutcome& outcome, int status, const std::string& text) {
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("compare_model: ")) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  }

  Json result() { return Json::parse(contents(folder / "result.json")); }

  TestFolder folder;
};

double fitted(const Json& result, const std::string& name) {
  for (const Json& constant : result["constants"]) {
    if (constant["name"] == name) return constant["fitted"];
  }
  return NAN;
}

TEST_F(CompareModel, FindsTheConstantsThatMadeTheTimes) {
  Json measured = bench();
  // A floor of 0.8 of the model's, and all that goes on above it three times as slow.
  const double floor_us = find_gpu_model("h200")->launch_us;
  for (Json& matrix : measured["matrices"]) {
    for (Json& design : matrix["designs"]) {
      if (design["time_us"].is_null()) continue;
      design["time_us"] = 0.8 * floor_us + 3 * (design["time_us"].get<double>() - floor_us);
    }
  }
  const CliOutcome outcome =
      compare(measured, "measured.json " + matrices + " --json result.json --quiet");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const Json json = result();
  EXPECT_NEAR(fitted(json, "launch_scale"), 0.8, 0.02);
  EXPECT_NEAR(fitted(json, "longest_scale"), 3 * ModelConstants().longest_scale, 0.1);
  const Json& agreement = json["agreement"];
  EXPECT_GT(agreement["assumed"]["error_factor"], 1.3);
  EXPECT_NEAR(agreement["assumed"]["spearman"], 1, 1e-9);
  EXPECT_LT(agreement["fitted"]["error_factor"], 1.02);
  EXPECT_LT(agreement["held_out"]["error_factor"], 1.05);
  EXPECT_GT(agreement["held_out"]["spearman"], 0.95);
  ASSERT_EQ(json["matrices"].size(), 3u);
  EXPECT_EQ(json["matrices"][0]["name"], "rajat19");
  EXPECT_EQ(json["matrices"][0]["assumed"]["misranked"], 0);
  EXPECT_NE(outcome.out.find("no pair of designs is misranked"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("stay assumed"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("\nheld out "), std::string::npos) << outcome.out;
}

TEST_F(CompareModel, TimesInTheWrongOrderAreSeenToBe) {
  Json measured = bench();
  for (Json& matrix : measured["matrices"]) {
    for (Json& design : matrix["designs"]) {
      if (!design["time_us"].is_null()) design["time_us"] = 100 / design["time_us"].get<double>();
    }
  }
  const CliOutcome outcome =
      compare(measured, "measured.json " + matrices + " --json result.json --l1-shares 0.5");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json json = result();
  EXPECT_NEAR(json["agreement"]["assumed"]["spearman"], -1, 1e-9);
  EXPECT_NEAR(json["agreement"]["assumed"]["kendall"], -1, 1e-9);
  EXPECT_GT(json["agreement"]["assumed"]["pick_ratio"], 1.2);
  ASSERT_EQ(json["misrankings"].size(), 10u);
  for (std::size_t i = 1; i < 10; ++i)
    EXPECT_GE(json["misrankings"][i - 1]["factor"], json["misrankings"][i]["factor"]);
  EXPECT_NE(outcome.out.find("worst misrankings"), std::string::npos) << outcome.out;
  EXPECT_EQ(json["modelled"]["l1_shares"], Json({0.5, 1.0}));
}

/// What the suite would have written of the same times, in both types.
Json suite_of(const Json& measured) {
  Json suite = {{"schema", 1},
                {"device", "cuda:0"},
                {"gpu", measured["gpu"]["name"]},
                {"version", measured["gpu"]["version"]},
                {"kind", "measured"},
                {"rows", Json::array()}};
  for (const Json& matrix : measured["matrices"]) {
    Json row = {{"matrix", matrix["name"]},
                {"dtype", measured["dtype"]},
                {"cache", measured["cache"]},
                {"fingerprints", matrix["fingerprints"]},
                {"outcomes", matrix["designs"]}};
    for (Json& outcome : row["outcomes"]) {
      outcome.erase("name");
      outcome.erase("verified");
    }
    suite["rows"].push_back(row);
  }
  return suite;
}

TEST_F(CompareModel, DesignsOfTheSuiteAreCountedByTheirText) {
  const Json measured = bench();
  const CliOutcome all = compare(suite_of(measured),
                                 "measured.json " + matrices + " --json result.json --l1-shares 1");
  ASSERT_EQ(all.status, 0) << all.err;
  const Json of_suite = result();
  ASSERT_EQ(
      compare(measured, "measured.json " + matrices + " --json result.json --l1-shares 1").status,
      0);
  const Json of_bench = result();
  EXPECT_EQ(of_suite["agreement"], of_bench["agreement"]);
  const Json& design = of_suite["matrices"][0]["designs"][0];
  EXPECT_EQ(design["name"], design["design"]);
  EXPECT_EQ(design["works"].size(), 1u) << "a share of L1";
  EXPECT_GT(design["works"][0][0]["basic_blocks"], 0);
  EXPECT_EQ(of_suite["matrices"][0]["dtype"], "f32");
  EXPECT_EQ(of_suite["matrices"][0]["cache"], "warm");
  EXPECT_EQ(of_suite["matrices"][0]["fingerprints"], measured["matrices"][0]["fingerprints"]);
  EXPECT_EQ(of_suite["modelled"]["table"]["launch_us"], find_gpu_model("h200")->launch_us);

  const CliOutcome few = run("measured.json " + matrices + " --designs-max 2");
  ASSERT_EQ(few.status, 0) << few.err;
  EXPECT_NE(few.out.find("1 beyond --designs-max on rajat19"), std::string::npos) << few.out;
  expect_refusal(run("measured.json " + matrices + " --designs-max 1"), 2, "--designs-max wants");
}

TEST_F(CompareModel, WhatCannotBeComparedIsNamed) {
  const std::string first = examples + "rajat19.mtx.gz", other = examples + "karate.mtx.gz";
  Json measured = bench(first + " " + examples + "plskz362.mtx.gz");
  Json& designs = measured["matrices"][0]["designs"];
  designs.push_back(designs[0]);
  designs.back()["name"] = designs.back()["design"] = "cusparse-csr-1";
  designs[1]["format_bytes"] = 1;
  designs[2]["time_us"] = nullptr;
  const CliOutcome outcome =
      compare(measured, "measured.json " + first + " " + other + " --gpu a100");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  for (const char* line :
       {"karate.mtx.gz: no matrix of these entries was measured",
        "plskz362: was measured and is none of the files", "1 of cuSPARSE on rajat19",
        "without a right time on rajat19", "csr-vector on rajat19: its format has",
        "modelled   a100 (NVIDIA A100 SXM4 80GB)", "there is no held-out error"}) {
    EXPECT_NE(outcome.out.find(line), std::string::npos) << line << "\n" << outcome.out;
  }
  EXPECT_EQ(outcome.out.find("\nheld out "), std::string::npos) << outcome.out;
  expect_refusal(run("measured.json " + other), 2, "nothing of it can be compared");
}

const std::string public_head = "source\tgpu\tdtype\tmatrix\trows\tcols\tnnz\tformat\ttime_us\n";

TEST_F(CompareModel, TimesOfOthersAreHeldBesideTheModels) {
  set_contents(folder / "a.tsv",
               public_head +
                   "gunrock/loops\tV100\tf32\trajat19\t1157\t1157\t5399\tthread-mapped\t25.88\n"
                   "gunrock/loops\tV100\tf32\trajat19\t1157\t1157\t5399\tmerge-path\t18.07\n"
                   "gunrock/loops\tV100\tf32\trajat19\t1157\t1157\t5399\tcub\t21\n"
                   "gunrock/loops\tV100\tf32\trajat19\t1157\t1157\t5399\tcusparse\t53\n"
                   "gunrock/loops\tV100\tf32\tplskz362\t362\t362\t1760\tthread-mapped\t12\n"
                   "gunrock/loops\tV100\tf32\tplskz362\t362\t362\t1761\tcub\t12\n"
                   "gunrock/loops\tV100\tf32\tnowhere\t1\t1\t1\tcub\t12\n");
  set_contents(folder / "b.tsv",
               public_head + "somebody\tA100 40GB\tf64\tjagmesh7\t1138\t1138\t7450\tcsr\t3\n" +
                   "somebody\tTPU\tf64\tjagmesh7\t1138\t1138\t7450\tcsr\t3\n");
  const CliOutcome outcome = run("--public a.tsv b.tsv --matrices " + examples +
                                 " --nnz-max 2e6 --json result.json --quiet");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const Json json = result();
  EXPECT_EQ(json["kind"], "modelled");
  EXPECT_EQ(json["version"], gpu_models_version);
  ASSERT_EQ(json["sources"].size(), 4u) << "two sources, each by two sets of constants";
  const Json& loops = json["sources"][0];
  EXPECT_EQ(loops["source"], "gunrock/loops");
  EXPECT_EQ(loops["model"], "v100");
  EXPECT_EQ(loops["constants"], "shipped");
  EXPECT_TRUE(loops["fitted_on"].is_null());
  EXPECT_EQ(loops["rows_used"], 4);
  EXPECT_EQ(loops["rows_left_out"], 3);
  EXPECT_EQ(loops["matrices"], 2);
  EXPECT_EQ(loops["pairs"], 1);
  EXPECT_GE(loops["error_factor"], 1);
  EXPECT_EQ(loops["times"].size(), 3u) << "merge-path and cub are one design";
  EXPECT_EQ(loops["times"][2]["formats"], "merge-path+cub");
  EXPECT_NEAR(loops["times"][2]["measured_us"], std::sqrt(18.07 * 21), 0.01);
  const Json& fitted = json["sources"][1];
  EXPECT_EQ(fitted["constants"], "fitted");
  EXPECT_EQ(fitted["fitted_on"], Json({"somebody A100 40GB"}));
  const Json& somebody = json["sources"][2];
  EXPECT_EQ(somebody["model"], "a100_40");
  EXPECT_TRUE(somebody["pairs_right"].is_null());
  EXPECT_TRUE(somebody["pick_cost"].is_null());
  for (const char* line :
       {"1 its format cusparse is no design", "1 its matrix has another size than the file",
        "1 its matrix is no file of the folder", "1 its GPU has no model"})
    EXPECT_NE(outcome.out.find(line), std::string::npos) << line << "\n" << outcome.out;
}

TEST_F(CompareModel, BadTablesEndBeforeAnyWork) {
  set_contents(folder / "bad.tsv", public_head + "a\tV100\tf32\n");
  set_contents(folder / "alien.tsv", public_head + "a\tTPU\tf32\tm\t1\t1\t1\tcsr\t2\n");
  expect_refusal(run("--public bad.tsv --matrices " + examples), 2,
                 "bad.tsv:2: 3 fields where there should be 9");
  expect_refusal(run("--public missing.tsv --matrices " + examples), 2, "missing.tsv: cannot");
  expect_refusal(run("--public bad.tsv"), 2, "--matrices");
  expect_refusal(run("--public bad.tsv --matrices . --nnz-max nan"), 2, "--nnz-max wants");
  expect_refusal(run("--public alien.tsv --matrices nowhere"), 2, "nowhere is no folder");
  expect_refusal(run("--public alien.tsv --matrices " + examples), 2, "its GPU has no model");
  expect_refusal(run("measured.json --public alien.tsv --matrices " + examples), 2,
                 "--public takes");
  expect_refusal(run("measured.json a.mtx --matrices " + examples), 2,
                 "--matrices is for --public");
}

TEST_F(CompareModel, BadInputsEndBeforeAnyWork) {
  const std::string matrix = examples + "karate.mtx.gz";
  const Json measured = {{"schema", 1},
                         {"device", "cuda:0"},
                         {"kind", "measured"},
                         {"gpu", {{"name", "NVIDIA B300"}, {"arch", ""}, {"version", ""}}},
                         {"dtype", "f32"},
                         {"cache", "warm"},
                         {"matrices",
                          {{{"name", "m"},
                            {"fingerprints", {{"pattern", "p"}, {"values", "v"}}},
                            {"designs", Json::array()}}}}};
  expect_refusal(compare(measured, "measured.json " + matrix), 2, "no model is of 'NVIDIA B300'");
  expect_refusal(run("measured.json " + matrix + " --gpu h200"), 2, "nothing of it");
  expect_refusal(run("measured.json missing.mtx --gpu h200"), 2, "missing.mtx");
  expect_refusal(run("measured.json " + matrix + " --gpu tpu"), 2,
                 "modelled as 'tpu'; there are h2");
  expect_refusal(run("measured.json " + matrix + " --dtype f64"), 2, "measured in f32, not f64");
  expect_refusal(run("measured.json " + matrix + " --l1-shares 0,1"), 2, "--l1-shares");
  expect_refusal(run("measured.json"), 2, "MATRIX is required");
  expect_refusal(run("missing.json " + matrix), 2, "missing.json: cannot be read");
  Json modelled = measured;
  modelled["kind"] = "modelled";
  expect_refusal(compare(modelled, "measured.json " + matrix), 2, "its times are modelled");
  set_contents(folder / "measured.json", "{\"schema\": 1,");
  expect_refusal(run("measured.json " + matrix), 2, "measured.json: is no JSON");
}

}  // namespace
}  // namespace alphasparse
