// cli: the output and exit codes of the command line where no kernel runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "operators/catalogue.h"
#include "operators/named_designs.h"
#include "tests/support/cli.h"
#include "tools/commands/option_values.h"
#include "tools/commands/options.h"

namespace alphasparse {
namespace {

using nlohmann::json;

struct Cli : ::testing::Test {
  TestFolder folder;

  /// Expects one line of error, this exit status and this text in it, and no result.
  void expect_error(const std::string& arguments, int status, const std::string& text,
                    const std::string& environment = "") {
    const CliOutcome outcome = run_cli(folder, arguments, environment);
    EXPECT_EQ(outcome.status, status) << arguments << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_EQ(outcome.err.rfind("alphasparse: error: ", 0), 0u) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << arguments << ": " << outcome.err;
  }
};

TEST_F(Cli, UsageErrorsAreOneLineWithAHint) {
  expect_error("", 2, "no command: tune, emit, run,");
  expect_error("tuen m.mtx", 2, "unknown command 'tuen'");
  expect_error("tune", 2, "MATRIX is required; see alphasparse tune --help");
  expect_error("emit a b --design csr5", 2, "b; see alphasparse emit --help");
  expect_error("tune m --bogus", 2, "--bogus; see alphasparse tune --help");
  expect_error("emit m", 2, "--design is required");
  expect_error("--bogus tune m", 2, "'--bogus' is in the place of a command: tune, emit,");
  expect_error("-W", 2, "'-W' is in the place of a command");
  set_contents(folder / "m.mtx", "");
  expect_error("m.mtx", 2, "unknown command 'm.mtx' (did you mean alphasparse tune m.mtx?)");
  expect_error("inspect n.mtx", 2,
               "n.mtx: cannot be read: No such file or directory (did you mean "
               "m.mtx?)");
  expect_error("db", 2, "no command: list, report,");
  expect_error("db lsit", 2, "unknown command 'db lsit' (did you mean list?)");
  expect_error("db --json list", 2, "'db --json' is in the place of a command");
  expect_error("tune m --time 1s --time 2s", 2, "--time is given more than once; see alphasparse");
  expect_error("tune m --time", 2, "--time has no value behind it; see alphasparse tune --help");
  expect_error("tune m -o", 2, "--output has no value behind it");
  expect_error("bench m --designs all,csr5", 2, "--designs: all stands alone");
  expect_error("tune ''", 2, "MATRIX: is empty");
  expect_error("tune m -o ''", 2, "--output: is empty");
  expect_error("tune m --db ''", 2, "--db: is empty");
  expect_error("db list --db ''", 2, "--db: is empty");
  expect_error("simulate c --device ''", 2, "--device: is empty");
  expect_error("devices extra", 2, "extra");
  expect_error("devices one two --three", 2, "arguments were not expected: one two --three");
}

TEST_F(Cli, TheNearestNameIsSuggested) {
  for (const auto& [words, nearest] : {std::pair{"tnue m", "tune"},
                                       {"tune m --trails 3", "--trials"},
                                       {"bench m --desings=csr5", "--designs"},
                                       {"db list --deivce h200", "--device"},
                                       {"designs sell-csigma", "sell-c-sigma"},
                                       {"operators compres", "compress"},
                                       {"generate twin:ldor -o m.mtx", "ldoor"},
                                       {"simulate c --variants no-modle", "no-model"}}) {
    expect_error(words, 2, fmt::format("(did you mean {}?)", nearest));
  }
}

TEST_F(Cli, TypesHaveTheNamesOfOtherLibrariesToo) {
  set_contents(folder / "m.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n");
  for (const auto& [word, dtype] :
       {std::pair{"float32", "f32"}, {"single", "f32"}, {"float64", "f64"}, {"double", "f64"}}) {
    const CliOutcome outcome =
        run_cli(folder, fmt::format("emit m.mtx --design csr-scalar -o out --json "
                                    "--device emulated:h200 --dtype {}",
                                    word));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find(fmt::format("\"{}\"", dtype)), std::string::npos) << outcome.out;
  }
}

TEST_F(Cli, ValuesOutOfRangeAreNamed) {
  for (const char* time : {"-3", "9h", "481m", "abc", "5x", "\"\"", "5 s", "nan", "1e99"})
    expect_error(std::string("tune m --time '") + time + "'", 2, "--time wants a time");
  for (const char* count : {"0", "-1", "1.5", "many", "99999999999999999999"})
    expect_error(std::string("tune m --trials ") + count, 2, "--trials wants a whole number of 1");
  expect_error("tune m --seed -1", 2, "--seed wants a whole number of 0");
  expect_error("tune m --dtype f16", 2,
               "--dtype wants f32 (float32, single), f64 (float64, double), c64 (complex64, "
               "csingle) or c128 (complex128, cdouble), not 'f16'");
  expect_error("tune m --cache hot", 2, "--cache wants warm or cold, not 'hot'");
  expect_error("tune m --values any", 2, "--values wants fixed or varying, not 'any'");
  expect_error("tune m --values-precision f16", 2,
               "--values-precision wants full or f32, not 'f16'");
  expect_error(
      "tune m --dtype f32 --values-precision f32", 2,
      "--values-precision f32: the values of such a --dtype are float32 already; leave it out");
  expect_error("tune m --dtype f64 --values varying --values-precision f32", 2,
               "--values-precision f32 measures the error of these values, but --values varying "
               "allows others; leave one out");
  expect_error("tune m --device banana", 2, "banana");
  expect_error("operators nope", 2, "no operator is called 'nope'; there are permute, sort_rows");
  expect_error("designs nope", 2, "no design is called 'nope'; there are csr-scalar");
}

TEST_F(Cli, HelpAndVersionAreResults) {
  for (const char* const words : {"--version", "-V", "version"})
    EXPECT_EQ(run_cli(folder, words).out, "alphasparse " ALPHASPARSE_VERSION "\n");
  EXPECT_NE(run_cli(folder, "--help").out.find("tune"), std::string::npos);
  EXPECT_EQ(run_cli(folder, "help").out, run_cli(folder, "--help").out);
  const CliOutcome help = run_cli(folder, "tune --help");
  EXPECT_EQ(run_cli(folder, "help tune").out, help.out);
  EXPECT_EQ(run_cli(folder, "help db show").out, run_cli(folder, "db show --help").out);
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.err, "");
  for (const char* option :
       {"--output", "--device", "--time", "--time-total", "--shard", "--trials", "--seed",
        "--dtype", "--cache", "--values", "--values-precision", "--deterministic", "--db",
        "--fresh", "--explain", "--json", "--quiet"})
    EXPECT_NE(help.out.find(option), std::string::npos) << option;
}

TEST_F(Cli, HelpFitsTheTerminalAndEndsWithExamples) {
  const auto longest_line = [](const std::string& text) {
    std::size_t longest = 0, first = 0;
    for (std::size_t end = 0; (end = text.find('\n', first)) != std::string::npos; first = end + 1)
      longest = std::max(longest, end - first);
    return longest;
  };
  for (const std::string words :
       {"", "tune ", "emit ", "bench ", "ablate ", "inspect ", "generate ", "show ", "simulate ",
        "operators ", "designs ", "devices ", "db ", "doctor ", "cache ", "completion ",
        "manual "}) {
    const std::string help = run_cli(folder, words + "--help").out;
    EXPECT_LE(longest_line(help), 100) << help;
    const std::size_t examples = help.rfind("\nExamples:\n  alphasparse ");
    ASSERT_NE(examples, std::string::npos) << help;
    EXPECT_NE(help.find("\n  alphasparse ", examples + 14), std::string::npos) << help;
  }
  const std::string narrow =
      run_command("script -qec 'stty cols 70; " + cli_program() + " emit --help' /dev/null").output;
  EXPECT_NE(narrow.find("--design"), std::string::npos) << narrow;
  EXPECT_LE(longest_line(narrow), 71) << narrow << "with a carriage return";
}

TEST_F(Cli, OperatorsAreTheCatalogue) {
  const json listed = json::parse(run_cli(folder, "operators --json").out);
  ASSERT_EQ(listed["operators"].size(), catalogue().size());
  EXPECT_EQ(listed["schema"], 1);
  const json one = json::parse(run_cli(folder, "operators thread_cols --json").out);
  ASSERT_EQ(one["operators"].size(), 1u);
  EXPECT_EQ(one["operators"][0]["paper"], "BMT_COL_BLOCK");
  const std::string text = run_cli(folder, "operators").out;
  for (const Operator* op : catalogue())
    EXPECT_NE(text.find(op->name), std::string::npos) << op->name;
}

TEST_F(Cli, DesignsAreTheNamedOnes) {
  const json listed = json::parse(run_cli(folder, "designs --json").out);
  ASSERT_EQ(listed["designs"].size(), named_designs().size());
  EXPECT_EQ(listed["designs"][0]["name"], "csr-scalar");
  EXPECT_EQ(listed["designs"][0]["design"], named_designs()[0].line);
  EXPECT_NE(run_cli(folder, "designs csr5").out.find("warp_nnz"), std::string::npos);
}

TEST_F(Cli, DevicesNeedNothing) {
  for (const char* environment : {"", "env -i"}) {
    const CliOutcome outcome = run_cli(folder, "devices --json", environment);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const json listed = json::parse(outcome.out);
    ASSERT_GE(listed["devices"].size(), 2u);
    for (const json& device : listed["devices"]) {
      EXPECT_TRUE(device["available"].is_boolean());
      EXPECT_FALSE(device["text"].get<std::string>().empty()) << device;
    }
  }
  EXPECT_EQ(run_cli(folder, "devices", "env -i").status, 0);
}

TEST_F(Cli, AFullOutputIsAnError) {
  const int status = run_command(cli_program() + " designs >/dev/full 2>/dev/null").status;
  EXPECT_EQ(status, 4);
  EXPECT_EQ(run_command(cli_program() + " designs >&- 2>/dev/null").status, 2) << "no output";
}

TEST(TuneCommand, OneMatrixHasTheTotal) {
  TuneCommand command;
  EXPECT_EQ(command.seconds_alone(), 60) << "the default, without a total";
  command.seconds_total = 100;
  EXPECT_EQ(command.seconds_alone(), 100);
  command.seconds_total = 90000;
  EXPECT_EQ(command.seconds_alone(), 8 * 3600) << "the most that a search may take";
  command.seconds_each = 15;
  EXPECT_EQ(command.seconds_alone(), 15);
}

TEST(ParseTime, UnitsAndRange) {
  EXPECT_EQ(parse_time("90"), 90);
  EXPECT_EQ(parse_time("60s"), 60);
  EXPECT_EQ(parse_time("250ms"), 0.25);
  EXPECT_EQ(parse_time("5m"), 300);
  EXPECT_EQ(parse_time("1.5h"), 5400);
  EXPECT_EQ(parse_time("8h"), 28800);
  for (const char* bad : {"", "s", "-1s", "0", "8.01h", "inf", "1d"})
    EXPECT_THROW(parse_time(bad), Error) << bad;
}

}  // namespace
}  // namespace alphasparse
