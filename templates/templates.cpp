#include "templates/templates.h"

#include <cstdio>
#include <cstdlib>

namespace alphasparse {

std::string_view template_text(std::string_view path) {
  for (const Template& file : embedded_templates()) {
    if (file.path == path) return file.text;
  }
  std::fprintf(stderr, "alphasparse: no embedded template '%.*s'\n", static_cast<int>(path.size()),
               path.data());
  std::abort();
}

}  // namespace alphasparse
