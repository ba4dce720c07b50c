// cli_experience: the shipped experience in a search of no time - its names, the ways to do without
// it, and files that are not as they should be. ctest label: emulator
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

using nlohmann::json;

struct CliExperience : ::testing::Test {
  TestFolder folder;

  CliOutcome tune(const std::string& options, const std::string& environment = "") {
    return run_cli(folder,
                   "tune " ALPHASPARSE_SOURCE_DIR
                   "/examples/rajat19.mtx.gz --time 0 --device emulated:h200 -o out " +
                       options,
                   environment);
  }

  json tune_json(const std::string& options) {
    const CliOutcome outcome = tune("--json " + options);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return json::parse(outcome.out);
  }
};

TEST_F(CliExperience, IsNamedAndCanBeLeftOut) {
  const json with = tune_json("--db a.db");
  EXPECT_GE(with["shipped_matrices"].size(), 1u);
  EXPECT_EQ(with["similar_matrices"], 0);
  EXPECT_EQ(tune_json("--db b.db --no-experience")["shipped_matrices"].size(), 0u);
  EXPECT_EQ(tune_json("--db a.db --fresh")["shipped_matrices"].size(), 0u);
  EXPECT_TRUE(contains(tune("--db c.db --explain").out, "first    by the prior; shipped: "));
  const json again = tune_json("--db d.db");
  EXPECT_EQ(again["design"], with["design"]);
}

TEST_F(CliExperience, ThatCannotBeUsedCostsOneWarning) {
  std::filesystem::create_directory(folder / "own");
  const std::string shipped = source_text("search/experience/gpu.tsv");
  const std::size_t first = shipped.find('\n') + 1;
  const std::string damaged[] = {
      "",
      std::string("\0\xff\n\t\n", 5),
      shipped.substr(first),
      "# alphasparse experience: generator 1, features 1, modelled gpu\n" + shipped.substr(first),
      shipped + "m\tone\n",
      shipped.substr(0, shipped.size() - 30)};
  int number = 0;
  for (const std::string& text : damaged) {
    set_contents(folder / "own/gpu.tsv", text);
    const CliOutcome outcome =
        tune("--db " + std::to_string(number++) + ".db", "ALPHASPARSE_EXPERIENCE=own");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const std::size_t place = outcome.err.find("own/gpu.tsv");
    ASSERT_NE(place, std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("own/gpu.tsv", place + 1), std::string::npos) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "tools/make_experience makes it anew"));
  }
  const CliOutcome missing = tune("--db m.db", "ALPHASPARSE_EXPERIENCE=nowhere");
  EXPECT_EQ(missing.status, 0);
  EXPECT_TRUE(contains(missing.err, "nowhere/gpu.tsv cannot be read")) << missing.err;
}

}  // namespace
}  // namespace alphasparse
