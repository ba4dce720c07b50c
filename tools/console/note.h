// note: facts for the user that no result depends on, on standard error.
#pragma once
#include <string>

namespace alphasparse {

/// Writes the text, which may be lines of printable characters (base/printable.h). A failure to
/// write it (a full disk, a closed pipe) ends nothing.
void note(const std::string& text);

}  // namespace alphasparse
