// wrapped: lines of code of at most 100 columns, and the names in them.
#pragma once
#include <string>

namespace alphasparse {

/// How often the text has the name as a word.
int times_named(const std::string& text, const std::string& name);

/// One line of code, broken behind commas or before && where it is longer than 100 columns.
std::string wrapped(int depth, const std::string& line);

}  // namespace alphasparse
