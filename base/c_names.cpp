#include "base/c_names.h"

#include <algorithm>

namespace alphasparse {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

}  // namespace

bool is_c_name(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) && std::all_of(text.begin(), text.end(), in_name);
}

std::string c_prefix(std::string_view name) {
  std::string prefix = name.empty() || is_digit(name.front()) ? "alphasparse_" : "";
  for (const char c : name) prefix += in_name(c) ? c : '_';
  return prefix;
}

}  // namespace alphasparse
