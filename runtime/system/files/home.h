// home: the folder of this user, which HOME names, and paths that begin with a tilde.
//
// A shell replaces the tilde, but not in quotes and not behind "--db=", and no shell reads the
// files that batch systems and containers set variables from. A folder called ~ is never meant.
#pragma once
#include <filesystem>
#include <optional>

namespace alphasparse {

/// HOME, where it is an absolute path. Nobody else is asked: a user of a container need have no
/// entry in passwd, and Python asks the same.
std::optional<std::filesystem::path> home_folder();

/// "~" and "~/NAME" with HOME in the place of the tilde, any other path as it is. None where HOME
/// is not set.
std::optional<std::filesystem::path> without_tilde(const std::filesystem::path& path);

/// The same of a variable's value. Empty where it is not set.
std::optional<std::filesystem::path> path_in_variable(const char* name);

}  // namespace alphasparse
