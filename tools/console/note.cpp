#include "tools/console/note.h"

#include <cstdio>

#include "base/printable.h"

namespace alphasparse {

void note(const std::string& text) { std::fputs(printable_lines(text).c_str(), stderr); }

}  // namespace alphasparse
