#include "tools/pages/highlight.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "tools/pages/markup.h"

namespace alphasparse {

namespace {

constexpr std::array<std::string_view, 70> keywords = {"alignas",
                                                       "alignof",
                                                       "asm",
                                                       "auto",
                                                       "bool",
                                                       "break",
                                                       "case",
                                                       "char",
                                                       "class",
                                                       "const",
                                                       "const_cast",
                                                       "constexpr",
                                                       "continue",
                                                       "decltype",
                                                       "default",
                                                       "delete",
                                                       "do",
                                                       "double",
                                                       "else",
                                                       "enum",
                                                       "explicit",
                                                       "extern",
                                                       "false",
                                                       "float",
                                                       "for",
                                                       "friend",
                                                       "goto",
                                                       "if",
                                                       "inline",
                                                       "int",
                                                       "long",
                                                       "mutable",
                                                       "namespace",
                                                       "new",
                                                       "noexcept",
                                                       "nullptr",
                                                       "operator",
                                                       "private",
                                                       "protected",
                                                       "public",
                                                       "register",
                                                       "return",
                                                       "short",
                                                       "signed",
                                                       "sizeof",
                                                       "static",
                                                       "static_assert",
                                                       "static_cast",
                                                       "struct",
                                                       "switch",
                                                       "template",
                                                       "this",
                                                       "throw",
                                                       "true",
                                                       "typedef",
                                                       "typename",
                                                       "union",
                                                       "unsigned",
                                                       "using",
                                                       "virtual",
                                                       "void",
                                                       "volatile",
                                                       "while",
                                                       "__device__",
                                                       "__forceinline__",
                                                       "__global__",
                                                       "__launch_bounds__",
                                                       "__restrict__",
                                                       "__shared__",
                                                       "__syncthreads"};

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Where the text of quotes ends that begins at `at`; the line's end at the latest.
std::size_t end_of_quotes(std::string_view text, std::size_t at) {
  const char quote = text[at++];
  for (; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      return at + 1;
    }
  }
  return std::min(at, text.size());
}

std::size_t end_of_line(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

/// One piece of the text from `at` on: its class, or none, and its end.
struct Piece {
  std::string_view kind;
  std::size_t end;
};

Piece piece_at(std::string_view text, std::size_t at, bool begins_line) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("//")) return {"comment", end_of_line(text, at)};
  if (rest.starts_with("/*")) {
    const std::size_t end = text.find("*/", at + 2);
    return {"comment", end == std::string_view::npos ? text.size() : end + 2};
  }
  if (rest.front() == '#' && begins_line) {
    std::size_t end = end_of_line(text, at);
    while (end < text.size() && text[end - 1] == '\\') end = end_of_line(text, end + 1);
    const std::size_t comment = text.find("//", at);
    return {"macro", std::min(end, comment)};
  }
  if (rest.front() == '"' || rest.front() == '\'') return {"string", end_of_quotes(text, at)};
  if (!in_name(rest.front())) return {"", at + 1};
  std::size_t end = at;
  const bool is_number = is_digit(rest.front());
  while (end < text.size() &&
         (in_name(text[end]) || (is_number && (text[end] == '.' || text[end] == '\''))))
    ++end;
  if (is_number) return {"literal", end};
  const bool is_keyword =
      std::find(keywords.begin(), keywords.end(), text.substr(at, end - at)) != keywords.end();
  return {is_keyword ? "keyword" : "", end};
}

}  // namespace

std::string highlighted(std::string_view source) {
  std::string html;
  bool begins_line = true;
  for (std::size_t at = 0; at < source.size();) {
    const auto [kind, end] = piece_at(source, at, begins_line);
    const std::string_view piece = source.substr(at, end - at);
    html += kind.empty() ? escaped(piece)
                         : fmt::format("<span class=\"{}\">{}</span>", kind, escaped(piece));
    if (piece.back() == '\n')
      begins_line = true;
    else if (piece != " " && piece != "\t")
      begins_line = false;
    at = end;
  }
  return html;
}

}  // namespace alphasparse
