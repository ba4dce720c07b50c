// cli_inspect: statistics and pictures of a file.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "search/learning/features.h"
#include "tests/support/cli.h"

namespace alphasparse {
namespace {

using nlohmann::json;

struct CliInspect : ::testing::Test {
  CliInspect() {
    set_contents(folder / "m.mtx",
                 "%%MatrixMarket matrix coordinate real general\n"
                 "3 3 5\n1 1 1.5\n1 3 -2\n2 2 0\n3 1 -2\n3 3 0.1\n");
  }

  TestFolder folder;

  void expect_error(const std::string& arguments, int status, const std::string& text) {
    const CliOutcome outcome = run_cli(folder, arguments);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  }
};

TEST_F(CliInspect, JsonHoldsEveryFeature) {
  const CliOutcome outcome = run_cli(folder, "inspect m.mtx --json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  EXPECT_EQ(result["schema"], 1);
  EXPECT_EQ(result["nnz"], 5);
  EXPECT_EQ(result["csr_bytes"]["f32"], 5 * 8 + 4 * 4);
  EXPECT_EQ(result["csr_bytes"]["f64"], 5 * 12 + 4 * 4);
  const json& features = result["features"];
  EXPECT_EQ(features.size(), feature_list({}).size());
  EXPECT_EQ(features["value_symmetry"], 1);
  EXPECT_EQ(features["stored_zeros"], 1);
  EXPECT_DOUBLE_EQ(features["bandwidth"].get<double>(), 4.0 / 9);
  EXPECT_DOUBLE_EQ(features["similarity"].get<double>(), 2.0 / 3);
  EXPECT_EQ(features["neighbours"], 0);
  EXPECT_EQ(features["row_length_p50"], 2);
  EXPECT_EQ(features["beyond_f32"], 1);
  EXPECT_TRUE(features["row_length_mean"].is_number_float());
  EXPECT_TRUE(result["files"].empty());
}

TEST_F(CliInspect, TextEndsWithThePicture) {
  const CliOutcome outcome = run_cli(folder, "inspect m.mtx");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(
      outcome.out.find("symmetric: of the entries off the diagonal 100 % have a mirror image"),
      std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("bandwidth 0.444 of the columns, 0 of 2 neighbours, similarity 0.667"),
            std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("│██  ██│\n│  ██  │\n│██  ██│\n"), std::string::npos) << outcome.out;
}

TEST_F(CliInspect, ComplexNumbersAreTold) {
  set_contents(folder / "h.mtx",
               "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 3 0\n2 1 2 -1\n");
  const std::string text = run_cli(folder, "inspect h.mtx").out;
  EXPECT_NE(text.find("values    complex numbers (c64 or c128), 3 distinct;"), std::string::npos)
      << text;
  EXPECT_NE(text.find("symmetry  hermitian: "), std::string::npos) << text;
  const json sizes = json::parse(run_cli(folder, "inspect h.mtx --json").out)["csr_bytes"];
  EXPECT_EQ(sizes, (json{{"c64", 3 * 12 + 3 * 4}, {"c128", 3 * 20 + 3 * 4}}));
}

TEST_F(CliInspect, PicturesAsFiles) {
  ASSERT_EQ(run_cli(folder, "inspect m.mtx --picture p.svg").status, 0);
  EXPECT_EQ(contents(folder / "p.svg").rfind("<svg ", 0), 0u);
  const json result = json::parse(run_cli(folder, "inspect m.mtx --picture p.png --json").out);
  EXPECT_EQ(result["files"]["picture"], "p.png");
  EXPECT_EQ(contents(folder / "p.png").substr(0, 4), "\x89PNG");
}

TEST_F(CliInspect, BadInputs) {
  expect_error("inspect", 2, "MATRIX is required");
  expect_error("inspect missing.mtx", 2, "missing.mtx");
  expect_error("inspect m.mtx --picture p.jpg", 2, "ends in .svg or .png, not 'p.jpg'");
  expect_error("inspect m.mtx --picture no/p.png", 2, "no/p.png");
}

}  // namespace
}  // namespace alphasparse
