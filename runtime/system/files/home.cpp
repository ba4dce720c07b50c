#include "runtime/system/files/home.h"

#include <cstdlib>
#include <string>

namespace alphasparse {

namespace fs = std::filesystem;

std::optional<fs::path> home_folder() {
  const char* const home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::optional<fs::path>(home) : std::nullopt;
}

std::optional<fs::path> without_tilde(const fs::path& path) {
  const std::string& text = path.native();
  if (text != "~" && !text.starts_with("~/")) return path;
  const std::optional<fs::path> home = home_folder();
  if (!home) return std::nullopt;
  return text.size() <= 2 ? *home : *home / text.substr(2);
}

std::optional<fs::path> path_in_variable(const char* name) {
  const char* const value = std::getenv(name);
  return without_tilde(value == nullptr ? "" : value);
}

}  // namespace alphasparse
