#include "tools/console/note.h"

#include <cstdio>

namespace alphasparse {

void note(const std::string& text) { std::fputs(text.c_str(), stderr); }

}  // namespace alphasparse
