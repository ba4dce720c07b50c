#include "generator/text/host_text.h"

#include <fmt/format.h>

#include "templates/templates.h"

namespace alphasparse {

std::string literal_of(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte > '~') {
      literal += fmt::format("\\{:03o}", byte);
    } else {
      if (c == '"' || c == '\\') literal += '\\';
      literal += c;
    }
  }
  return literal + "\"";
}

std::string replaced(std::string_view text, const std::vector<Replacement>& replacements) {
  std::string result;
  while (!text.empty()) {
    std::size_t first = text.size();
    const Replacement* found = nullptr;
    for (const Replacement& one : replacements) {
      const std::size_t at = text.find(one.first);
      if (at >= first) continue;
      first = at;
      found = &one;
    }
    result += text.substr(0, first);
    text.remove_prefix(first);
    if (!found) break;
    result += found->second;
    text.remove_prefix(found->first.size());
  }
  return result;
}

std::string lines_of(const Includes& includes) {
  std::string lines;
  for (const std::string& line : includes) lines += line;
  return lines;
}

std::string without_includes(std::string_view rest, Includes& includes) {
  std::string text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n') + 1);
    rest.remove_prefix(line.size());
    if (line.starts_with("#include <")) {
      includes.emplace(line);
    } else if (!line.starts_with("#include \"") && !line.starts_with("#pragma once")) {
      if (line != "\n" || !text.ends_with("\n\n")) text += line;
    }
  }
  return text;
}

std::string host_text(const std::vector<std::string_view>& paths, const HostNeeds& needs,
                      Includes& includes) {
  std::string text;
  for (const std::string_view path : paths)
    text += without_includes(needed_lines(template_text(path), needs), includes) + "\n";
  return text;
}

std::string unnamed(const std::string& text) {
  return "namespace {\n\n" + text + (text.ends_with("\n\n") ? "" : "\n") + "}  // namespace\n\n";
}

}  // namespace alphasparse
