// cli_db_show: which problems a name means, and in which order they are shown.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/db_folder.h"

namespace alphasparse {
namespace {

using nlohmann::json;

struct CliDbShow : CliDb {};

TEST_F(CliDbShow, OfANameTheSearchComesFirstThenItsBaselines) {
  fill();
  const json shown = db_json("show b");
  EXPECT_EQ(shown["problem"]["options"], "values=fixed");
  ASSERT_EQ(shown["baselines"].size(), 1u);
  EXPECT_EQ(shown["baselines"][0]["problem"]["options"], vendor_options);
  EXPECT_EQ(shown["baselines"][0]["outcomes"][0]["design"], "cusparse-csr-1");
  EXPECT_EQ(db_json("show a --dtype f32")["baselines"].size(), 0u);
  const std::string text = db("show b").out;
  EXPECT_LT(text.find("winner   "), text.find("cusparse-csr-1")) << text;
  const json baselines = db_json("show b --of baselines");
  EXPECT_EQ(baselines["problem"]["options"], vendor_options);
  EXPECT_EQ(baselines["baselines"].size(), 0u);
  const json alone = db_json("show b --of search");
  EXPECT_EQ(alone["problem"], shown["problem"]);
  EXPECT_EQ(alone["baselines"].size(), 0u);
  const std::string key = baselines["problem"]["key"];
  EXPECT_EQ(db_json("show " + key)["problem"], baselines["problem"]);
  EXPECT_EQ(db_json("list --matrix b --of baselines")["problems"].size(), 1u);
  expect_error("show b --of both", 2, "--of wants search, baselines or samples");
  expect_error("show b --of samples", 2, "with these options");
}

TEST_F(CliDbShow, OptionsTellSearchesOfOneNameApart) {
  {
    Database database = Database::open(place());
    Problem a = problem_of("a");
    add_run(database, a, 10);
    a.options = "values=varying";
    add_run(database, a, 12);
    a.options = "values=fixed";
    a.sample_nnz = 1000;
    add_run(database, a, 1);
    a.options = vendor_options;
    database.record(database.begin_run(a, {60, 0, 0}), timed("mkl-csr", 20));
  }
  EXPECT_EQ(db_json("show a")["problems"].size(), 2U);
  const json varying = db_json("show a --values varying");
  EXPECT_EQ(varying["problem"]["options"], "values=varying");
  EXPECT_EQ(varying["baselines"].size(), 1u);
  EXPECT_EQ(db_json("show a --values fixed")["problem"]["options"], "values=fixed");
  EXPECT_EQ(db_json("show a --of samples")["problem"]["sample_nnz"], 1000);
}

}  // namespace
}  // namespace alphasparse
