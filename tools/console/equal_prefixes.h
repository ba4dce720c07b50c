// equal_prefixes: kernels of one folder whose C functions have the same names. The names of two
// matrices, a-b and a_b, may give one prefix, a_b. No program can link both kernels.
#pragma once
#include <filesystem>
#include <set>
#include <string>

namespace alphasparse {

/// A line for each prefix that several kernels of a folder have, those among them that were just
/// written: `headers` are paths of NAME.h. Empty: none. The remedy is part of the line.
std::string equal_prefixes_text(const std::set<std::filesystem::path>& headers);

}  // namespace alphasparse
