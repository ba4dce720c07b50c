#include "generator/text/host_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/wrapped.h"
#include "templates/templates.h"

namespace alphasparse {

std::string write_literal(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte > '~') {
      quoted += fmt::format("\\{:03o}", byte);
    } else {
      const bool begins_trigraph = c == '?' && quoted.ends_with('?');
      if (c == '"' || c == '\\' || begins_trigraph) quoted += '\\';
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
  text.remove_prefix(line.size());
  return line;
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

namespace {

std::string_view without_blanks(std::string_view line) {
  while (line.starts_with(' ')) line.remove_prefix(1);
  while (line.ends_with('\n')) line.remove_suffix(1);
  return line;
}

/// Whether a line begins with one of these marks and words behind it. C of 1989 has no other
/// comments than /* */.
bool is_prose(std::string_view line) {
  const std::string_view mark = line.substr(0, 3);
  return (mark == "// " || mark == "/* " || mark == " * ") && !line.substr(3).starts_with(' ');
}

/// A line of a comment behind the words that the line before had no room for; those that have no
/// room here are moved on. An end of the comment stays with its last word.
std::string prose_line(std::string line, std::string& moved) {
  if (!moved.empty()) line.insert(3, std::exchange(moved, "") + " ");
  while (line.size() > 101) {  // with its end
    const std::size_t at = line.rfind(' ', line.size() - (line.ends_with(" */\n") ? 5 : 2));
    if (at <= 2) break;
    moved = line.substr(at + 1, line.size() - at - 2) + (moved.empty() ? "" : " " + moved);
    line = line.substr(0, at) + "\n";
  }
  return line;
}

}  // namespace

std::string with_names(std::string_view text, const std::vector<Replacement>& names) {
  std::string result, moved, mark;
  while (!text.empty()) {
    const std::string_view first = take_line(text);
    const std::string_view shown = without_blanks(first);
    const bool is_code = shown.find_first_of("/*#") != 0;
    if (!is_prose(first) && !moved.empty()) result += mark + std::exchange(moved, "") + "\n";
    if (is_prose(first)) {
      mark = first.starts_with("//") ? "// " : " * ";
      result += prose_line(replaced(first, names), moved);
      continue;
    }
    std::string statement = replaced(first, names);
    if (!is_code || statement.size() <= columns_max + 1) {
      result += statement;
      continue;
    }
    const auto is_open = [&] {
      return std::count(statement.begin(), statement.end(), '(') >
             std::count(statement.begin(), statement.end(), ')');
    };
    const int depth = static_cast<int>(first.find(shown)) / 2;
    statement = without_blanks(statement);
    while (is_open() && !text.empty())
      statement.append(" ").append(without_blanks(replaced(take_line(text), names)));
    result += wrapped(depth, statement);
  }
  if (!moved.empty()) result += mark + moved + "\n";
  return result;
}

std::string write_includes(const Includes& includes) {
  std::string of_c, of_cpp;
  for (const std::string& line : includes) (line.ends_with(".h>\n") ? of_c : of_cpp) += line;
  return of_c + (of_c.empty() || of_cpp.empty() ? "" : "\n") + of_cpp;
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

std::string host_text(std::string_view name) {
  constexpr std::string_view include = "#include \"templates/";
  std::string text;
  for (std::string_view rest = template_text(name); !rest.empty();) {
    std::string_view line = take_line(rest);
    if (!line.starts_with(include)) {
      text += line;
      continue;
    }
    line.remove_prefix(include.size());
    Includes own;
    text += without_includes(template_text(line.substr(0, line.find('"'))), own) + "\n";
  }
  return text;
}

std::string resolved(std::string_view text, const KnownMacros& known) {
  struct Condition {
    bool is_known, takes;
  };
  std::vector<Condition> open;
  std::string result;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    bool shown = true;
    if (line.starts_with("#if")) {
      const bool negated = line.starts_with("#ifndef ");
      std::string_view macro = line.substr(std::min(line.find(' ') + 1, line.size()));
      macro = macro.substr(0, macro.find_first_of(" \n"));
      const auto found = line.starts_with("#ifdef ") || negated ? known.find(macro) : known.end();
      shown = found == known.end();
      open.push_back({!shown, shown || found->second != negated});
    } else if (line.starts_with("#else") && open.back().is_known) {
      shown = false;
      open.back().takes = !open.back().takes;
    } else if (line.starts_with("#endif")) {
      shown = !open.back().is_known;
      open.pop_back();
    }
    const auto takes = [](const Condition& condition) { return condition.takes; };
    if (shown && std::all_of(open.begin(), open.end(), takes)) result += line;
  }
  return result;
}

std::string join_namespaces(std::string_view text) {
  constexpr std::string_view open = "namespace alphasparse::host {\n",
                             close = "}  // namespace alphasparse::host\n";
  std::string result;
  const auto append = [&](std::string_view line) {
    if (line != "\n" || !result.ends_with("\n\n")) result += line;
  };
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    std::string_view rest = text;
    while (rest.starts_with('\n') || rest.starts_with("//")) take_line(rest);
    if (line != close || !rest.starts_with(open)) {
      append(line);
      continue;
    }
    while (text.size() > rest.size()) append(take_line(text));
    take_line(text);
  }
  return result;
}

std::string unnamed(const std::string& text) {
  return "namespace {\n\n" + text + (text.ends_with("\n\n") ? "" : "\n") + "}  // namespace\n\n";
}

}  // namespace alphasparse
