// cli: runs the built command line as a user would.
#pragma once
#include <string>

#include "tests/support/files.h"

namespace alphasparse {

struct CliOutcome {
  int status = 0;
  std::string out;
  std::string err;
};

/// Runs "alphasparse ARGUMENTS" in the folder, through the shell; `environment` is put before it
/// ("env -i", "HOME=/x").
CliOutcome run_cli(const TestFolder& folder, const std::string& arguments,
                   const std::string& environment = "");

/// The path of the program.
std::string cli_program();

}  // namespace alphasparse
