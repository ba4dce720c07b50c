// wrapped: lines of code of at most 100 columns, broken as clang-format would break them.
#pragma once
#include <string>

namespace alphasparse {

/// One statement, opening line or comment as one or more lines; a line without a place to break
/// stays as it is.
std::string wrapped(int depth, const std::string& line);

}  // namespace alphasparse
