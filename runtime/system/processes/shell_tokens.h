// shell_tokens: the words of a command, as a shell reads them.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace alphasparse {

/// Blanks separate words; single quotes, double quotes and backslashes join them as in POSIX'
/// shell. Nothing is expanded. None where a quote is not closed.
std::optional<std::vector<std::string>> shell_tokens(std::string_view text);

}  // namespace alphasparse
