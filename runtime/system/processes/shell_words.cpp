#include "runtime/system/processes/shell_words.h"

namespace alphasparse {

std::optional<std::vector<std::string>> shell_words(std::string_view text) {
  constexpr std::string_view blanks = " \t\n", escaped_in_quotes = "\\\"$`\n";
  std::vector<std::string> words;
  bool in_word = false;  // an empty pair of quotes is a word too
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && blanks.find(c) != std::string_view::npos) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    const bool escapes =
        c == '\\' && i + 1 < text.size() && quote != '\'' &&
        (quote == 0 || escaped_in_quotes.find(text[i + 1]) != std::string_view::npos);
    if (escapes) {
      words.back() += text[++i];
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (quote != 0 && c == quote) {
      quote = 0;
    } else {
      words.back() += c;
    }
  }
  return quote == 0 ? std::optional(words) : std::nullopt;
}

}  // namespace alphasparse
