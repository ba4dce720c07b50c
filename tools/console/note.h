// note: what a person should know and no result depends on, on standard error.
#pragma once
#include <string>

namespace alphasparse {

/// Writes the text, which may be lines of printable characters (base/printable.h). That it
/// cannot be written (a full disk, a reader who has gone) ends nothing.
void note(const std::string& text);

}  // namespace alphasparse
