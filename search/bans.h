// bans: designs that are not tried at all, and why. Rules that follow from what was measured stand
// here, one function each; what follows from the matrix alone is an operator's to refuse.
#pragma once
#include <optional>
#include <string>

#include "runtime/database.h"

namespace alphasparse {

/// Why the design must not be tried after these outcomes, or nothing. A structure - a design
/// without its parameters - that has crashed the device twice is banned.
std::optional<std::string> ban_reason(const Outcomes& outcomes, const std::string& design);

/// The design's operators and branches, without parameters: "compress | thread_rows | ...".
std::string structure_of(const std::string& design);

}  // namespace alphasparse
