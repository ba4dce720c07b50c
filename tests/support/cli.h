// cli: runs the built command line as a user would.
#pragma once
#include <optional>
#include <string>

#include "tests/support/files.h"

namespace alphasparse {

struct CliOutcome {
  int status = 0;
  std::string out;
  std::string err;
};

/// Runs "alphasparse ARGUMENTS" in the folder, through the shell; `environment` is put before it
/// ("env -i", "HOME=/x"). Eigen, which takes seconds to compile, counts as missing, but where the
/// environment names its folder (ALPHASPARSE_EIGEN=, the usual one). Where the JSON of a search is
/// asked for, the winner must be the fastest.
CliOutcome run_cli(const TestFolder& folder, const std::string& arguments,
                   const std::string& environment = "");

/// The words before a command that run it as a user with permissions that count. Nothing where we
/// are such a user, and nobody where we are root. No value where that is not possible.
std::optional<std::string> without_root();

/// The path of the program.
std::string cli_program();

}  // namespace alphasparse
