// cli_generate: files of known statistics, and refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/matrices/text/matrix_market.h"
#include "tests/support/cli.h"
#include "tools/synthetic/synthetic.h"

namespace alphasparse {
namespace {

using nlohmann::json;

struct CliGenerate : ::testing::Test {
  TestFolder folder;

  /// One line of error with this text, exit 2, and nothing left behind.
  void expect_error(const std::string& arguments, const std::string& text) {
    const CliOutcome outcome = run_cli(folder, "generate " + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << arguments << ": " << outcome.err;
    expect_nothing_left();
  }

  void expect_nothing_left() {
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      EXPECT_TRUE(entry.path().filename().string().starts_with("cli.")) << entry.path();
  }
};

TEST_F(CliGenerate, TheFileReadsBackAsTheMatrix) {
  const CliOutcome outcome = run_cli(folder, "generate road --rows 500 --seed 3 -o m.mtx --json");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  SyntheticOptions options = find_archetype(ArchetypeKind::road).defaults;
  options.rows = options.cols = 500;
  options.seed = 3;
  const Result<Matrix> matrix = synthetic_matrix(options);
  ASSERT_TRUE(matrix.ok());
  const Fingerprints prints = fingerprints(read_matrix_market((folder / "m.mtx").string()));
  EXPECT_EQ(prints.pattern, fingerprints(*matrix).pattern);
  EXPECT_EQ(prints.values, fingerprints(*matrix).values);
  EXPECT_EQ(report["fingerprints"]["values"], prints.values);
  EXPECT_EQ(report["files"]["matrix"], "m.mtx");
  EXPECT_NEAR(report["statistics"]["mean"]["got"].get<double>(), 2.8, 0.05);
}

TEST_F(CliGenerate, TheCommandInTheFileMakesItAgain) {
  for (const std::string field : {"real", "complex"}) {
    const std::string dtype = field == "complex" ? " --dtype complex64" : "";
    const std::string options = "generate twin:ldoor --scale 0.001 --values few" + dtype;
    ASSERT_EQ(run_cli(folder, options + " -o a.mtx").status, 0);
    const std::string text = contents(folder / "a.mtx");
    EXPECT_EQ(text.rfind("%%MatrixMarket matrix coordinate " + field + " general\n", 0), 0u);
    const std::size_t first = text.find("generate ");
    const std::string command = text.substr(first, text.find('\n', first) - first);
    ASSERT_EQ(run_cli(folder, command + " -o b.mtx").status, 0) << command;
    EXPECT_EQ(contents(folder / "b.mtx"), text);
  }
}

TEST_F(CliGenerate, OnesAreAPattern) {
  ASSERT_EQ(
      run_cli(folder, "generate lp --rows 40 --mean 9 --std 3 --skew 2 --values ones -o m.mtx")
          .status,
      0);
  EXPECT_EQ(
      contents(folder / "m.mtx").rfind("%%MatrixMarket matrix coordinate pattern general\n", 0),
      0u);
  const Matrix matrix = read_matrix_market((folder / "m.mtx").string());
  EXPECT_EQ(matrix.rows, 40);
  EXPECT_EQ(matrix.cols, 2000) << "in the proportions of the archetype";
  EXPECT_EQ(matrix.value, std::vector<double>(matrix.value.size(), 1.0));
}

TEST_F(CliGenerate, InspectShowsTheSameStatistics) {
  const json made = json::parse(
      run_cli(folder, "generate uniform --rows 3000 --similarity 0.3 -o m.mtx --json").out);
  const json seen = json::parse(run_cli(folder, "inspect m.mtx --json").out);
  for (const char* name : {"bandwidth", "neighbours", "similarity"})
    EXPECT_EQ(made["statistics"][name]["got"], seen["features"][name]) << name;
}

TEST_F(CliGenerate, ListAndHelpNameAllKinds) {
  const CliOutcome list = run_cli(folder, "generate --list");
  const CliOutcome help = run_cli(folder, "generate --help");
  const json listed = json::parse(run_cli(folder, "generate --list --json").out);
  EXPECT_EQ(listed["archetypes"].size(), archetypes().size());
  EXPECT_EQ(listed["twins"].size(), twins().size());
  EXPECT_EQ(listed["twins"][0]["options"]["rows"], twins()[0].rows);
  for (const Archetype& archetype : archetypes()) {
    for (const std::string* text : {&list.out, &help.out}) {
      EXPECT_NE(text->find(archetype.doc), std::string::npos) << archetype.name;
      EXPECT_NE(text->find(archetype.limits), std::string::npos) << archetype.name;
    }
  }
  for (const Twin& twin : twins())
    EXPECT_NE(list.out.find("twin:" + std::string(twin.name)), std::string::npos) << twin.name;
  expect_nothing_left();
}

TEST_F(CliGenerate, BadOptions) {
  expect_error("", "KIND is required; see alphasparse generate --list");
  expect_error("fem", "-o is required");
  expect_error("feem -o m.mtx",
               "no archetype is called 'feem' (did you mean fem?); there are fem, stencil");
  expect_error("twin:nope -o m.mtx", "no twin is called 'nope'; there are ldoor");
  expect_error("fem -o m.txt", "-o wants a file that ends in .mtx, not 'm.txt'");
  expect_error("fem -o m.mtx.gz", "pack it with gzip afterwards");
  expect_error("fem -o no/m.mtx --rows 3000", "cannot write no/m.mtx: No such file or directory");
  expect_error("fem --scale 0.5 -o m.mtx", "--scale is for twins");
  for (const char* scale : {"0", "-1", "1.01", "nan", "x"})
    expect_error(std::string("twin:ldoor -o m.mtx --scale ") + scale,
                 "--scale wants a number above 0");
  for (const char* number : {"-1", "nan", "inf", "1e999", "x", "''"})
    expect_error(std::string("road -o m.mtx --mean ") + number,
                 "--mean wants a number of 0 or more");
  for (const char* count : {"0", "-3", "2.5", "99999999999999999999"})
    expect_error(std::string("road -o m.mtx --rows ") + count, "--rows wants a whole number");
  expect_error("road -o m.mtx --values some", "--values wants random, ones or few, not 'some'");
  expect_error("road -o m.mtx --bandwidth 2", "--bandwidth of road is from 0 to 1, not 2");
  expect_error("road -o m.mtx --mean 500000", "--mean of road is from 0 to 200000");
  expect_error("road -o m.mtx --rows 3000000000", "--rows of road");
  expect_error("twin:kron_g500-logn18 -o m.mtx --scale 0.0005",
               "--scale 0.0005 is too small for the row lengths of twin:kron_g500-logn18");
  expect_error("road -o m.mtx --std 90", "--mean, --std and --skew do not go together");
}

TEST_F(CliGenerate, MoreThanMemoryIsRefusedBeforeTheWork) {
  const CliOutcome outcome =
      run_cli(folder, "generate uniform --rows 100000000 -o m.mtx", "ulimit -v 8000000 &&");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("need 25.2 GB, more than the memory available"), std::string::npos)
      << outcome.err;
  expect_nothing_left();
}

TEST_F(CliGenerate, AFileThatDoesNotFitLeavesNothing) {
  const CliOutcome outcome =
      run_cli(folder, "generate road --rows 20000 -o m.mtx", "ulimit -f 64 &&");
  EXPECT_EQ(outcome.status, 4);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("cannot write m.mtx: File too large"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  expect_nothing_left();
}

}  // namespace
}  // namespace alphasparse
