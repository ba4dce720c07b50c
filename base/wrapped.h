// wrapped: lines of code of at most 100 columns.
#pragma once
#include <string>

namespace alphasparse {

/// One line of code, broken behind commas or before && where it is longer than 100 columns.
std::string wrapped(int depth, const std::string& line);

}  // namespace alphasparse
