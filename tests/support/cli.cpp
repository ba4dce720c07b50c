#include "tests/support/cli.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

namespace alphasparse {

std::string cli_program() { return ALPHASPARSE_BINARY_DIR "/alphasparse"; }

std::optional<std::string> without_root() {
  if (::geteuid() != 0) return "env";
  const std::string prefix = "setpriv --reuid=65534 --regid=65534 --clear-groups env";
  // The program may lie where no other user may go.
  if (run_command(prefix + " '" + cli_program() + "' --version").status != 0) return std::nullopt;
  return prefix;
}

namespace {

/// Checks a search: its winner is no slower than another design that it has verified, but for ties.
/// Measured times of two moments are no such proof: a machine with other work may change between.
void check_winner(const nlohmann::json& result) {
  constexpr double tie = 1.02;
  if (!result.is_object() || !result.contains("least_us")) return;
  if (result["kind"] == "measured") return;
  const nlohmann::json &least_us = result["least_us"], &time_us = result["time_us"];
  if (!least_us.is_number() || !time_us.is_number()) return;
  EXPECT_LE(time_us.get<double>(), tie * least_us.get<double>()) << result["design"];
}

void check_winners(const std::string& arguments, const std::string& out) {
  if (!arguments.starts_with("tune ") || arguments.find("--json") == std::string::npos) return;
  const nlohmann::json result = nlohmann::json::parse(out, nullptr, false);
  check_winner(result);
  if (!result.is_object() || !result.contains("matrices")) return;
  for (const nlohmann::json& one : result["matrices"]) check_winner(one);
}

}  // namespace

CliOutcome run_cli(const TestFolder& folder, const std::string& arguments,
                   const std::string& environment) {
  const std::string command = "cd '" + folder.path().string() +
                              "' && export ALPHASPARSE_EIGEN=/nowhere && " + environment + " '" +
                              cli_program() + "' " + arguments + " >cli.out 2>cli.err";
  CliOutcome outcome;
  outcome.status = run_command(command).status;
  outcome.out = contents(folder / "cli.out");
  outcome.err = contents(folder / "cli.err");
  check_winners(arguments, outcome.out);
  return outcome;
}

}  // namespace alphasparse
