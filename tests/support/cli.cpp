#include "tests/support/cli.h"

#include <unistd.h>

namespace alphasparse {

std::string cli_program() { return ALPHASPARSE_BINARY_DIR "/alphasparse"; }

std::optional<std::string> without_root() {
  if (::geteuid() != 0) return "env";
  const std::string prefix = "setpriv --reuid=65534 --regid=65534 --clear-groups env";
  // The program may lie where nobody else may go.
  if (run_command(prefix + " '" + cli_program() + "' --version").status != 0) return std::nullopt;
  return prefix;
}

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
