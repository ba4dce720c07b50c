#include "runtime/system/processes/shell_tokens.h"

namespace alphasparse {

std::optional<std::vector<std::string>> shell_tokens(std::string_view text) {
  constexpr std::string_view blanks = " \t\n", escaped_in_quotes = "\\\"$`\n";
  std::vector<std::string> tokens;
  bool in_token = false;  // an empty pair of quotes is a word too
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && blanks.find(c) != std::string_view::npos) {
      in_token = false;
      continue;
    }
    if (!in_token) tokens.emplace_back();
    in_token = true;
    const bool escapes =
        c == '\\' && i + 1 < text.size() && quote != '\'' &&
        (quote == 0 || escaped_in_quotes.find(text[i + 1]) != std::string_view::npos);
    if (escapes) {
      tokens.back() += text[++i];
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (quote != 0 && c == quote) {
      quote = 0;
    } else {
      tokens.back() += c;
    }
  }
  return quote == 0 ? std::optional(tokens) : std::nullopt;
}

}  // namespace alphasparse
