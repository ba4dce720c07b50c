#include "templates/templates.h"

#include <cstdio>
#include <cstdlib>

namespace alphasparse {

bool has_template(std::string_view path) {
  for (const Template& file : embedded_templates())
    if (file.path == path) return true;
  return false;
}

std::string_view template_text(std::string_view path, const std::vector<Template>& files) {
  for (const Template& file : files) {
    if (file.path == path) return file.text;
  }
  std::fprintf(stderr, "alphasparse: no embedded template '%.*s'\n", static_cast<int>(path.size()),
               path.data());
  std::abort();
}

}  // namespace alphasparse
