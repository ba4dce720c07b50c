#include "tests/support/cli.h"

namespace alphasparse {

std::string cli_program() { return ALPHASPARSE_BINARY_DIR "/alphasparse"; }

CliOutcome run_cli(const TestFolder& folder, const std::string& arguments,
                   const std::string& environment) {
  const std::string command = "cd '" + folder.path().string() + "' && " + environment + " '" +
                              cli_program() + "' " + arguments + " >cli.out 2>cli.err";
  CliOutcome outcome;
  outcome.status = run_command(command).status;
  outcome.out = contents(folder / "cli.out");
  outcome.err = contents(folder / "cli.err");
  return outcome;
}

}  // namespace alphasparse
