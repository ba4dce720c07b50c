// page_style: the style sheet and the script of every page.
#pragma once

namespace alphasparse {

extern const char* const page_css;
extern const char* const page_script;

}  // namespace alphasparse
