#include "base/wrapped.h"

#include <algorithm>
#include <climits>
#include <optional>

namespace alphasparse {

namespace {

/// How a separator at `at` ranks among those in as many brackets: parts of a list before those of a
/// sum; nothing: it is none.
std::optional<int> find_rank(const std::string& line, std::size_t at) {
  const char c = line[at];
  if (line[at + 1] != ' ') return std::nullopt;
  if (c == ',' || c == ';' || (c == '&' && line[at - 1] == '&')) return 0;
  if ((c == '+' || c == '-') && at > 0 && line[at - 1] == ' ') return 1;
  return std::nullopt;
}

/// The length of a line's first part, of at most `room`: up to the last separator in the fewest
/// brackets. A < behind a name is a bracket too; a comparison has a blank there. All of the line:
/// it has no place to break.
std::size_t first_part(const std::string& line, std::size_t room) {
  std::size_t found = line.size();
  int depth = 0, angles = 0, least = INT_MAX;
  bool quoted = false;
  for (std::size_t at = 0; at + 2 < line.size() && at < room; ++at) {
    const char c = line[at];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    angles += c == '<' && at > 0 && line[at - 1] != ' ';
    angles -= c == '>' && angles > 0;
    depth += c == '(' || c == '{' || c == '[';
    depth -= c == ')' || c == '}' || c == ']';
    const std::optional<int> rank = find_rank(line, at);
    if (!rank || 2 * (depth + angles) + *rank > least) continue;
    found = at + 1;
    least = 2 * (depth + angles) + *rank;
  }
  return found;
}

/// The length of a line up to an assignment that leaves at most `room`; 0: there is none.
std::size_t skip_assigned(const std::string& line, std::size_t room) {
  const std::size_t at = line.find(" = ");
  const bool is_first = at != std::string::npos && line.find('(') > at;
  return is_first && line.size() - at - 3 <= room ? at + 2 : 0;
}

/// The length of "if (...)" or "for (...)" in front of a statement on the same line; 0: there is
/// none.
std::size_t find_head(const std::string& line) {
  if (!line.starts_with("if (") && !line.starts_with("for (")) return 0;
  int depth = 0;
  for (std::size_t at = 0; at + 2 < line.size(); ++at) {
    depth += (line[at] == '(') - (line[at] == ')');
    if (depth == 0 && line[at] == ')') return line[at + 2] == '{' ? 0 : at + 1;
  }
  return 0;
}

/// Words of a comment.
std::string comment_text(const std::string& blanks, const std::string& line) {
  const std::string mark = line.substr(0, line.find(' '));
  std::string text;
  std::string rest = line;
  while (blanks.size() + rest.size() > columns_max) {
    const std::size_t at = rest.rfind(' ', columns_max - blanks.size());
    if (at == std::string::npos || at <= mark.size()) break;
    text += blanks + rest.substr(0, at) + "\n";
    rest = mark + rest.substr(at);
  }
  return text + blanks + rest + "\n";
}

}  // namespace

std::string wrapped(int depth, const std::string& line) {
  std::string blanks(static_cast<std::size_t>(depth) * 2, ' ');
  if (line.starts_with("//")) return comment_text(blanks, line);
  if (blanks.size() + line.size() <= columns_max) return blanks + line + "\n";
  if (const std::size_t head = find_head(line); head > 0)
    return wrapped(depth, line.substr(0, head)) + wrapped(depth + 1, line.substr(head + 1));
  const std::string further = blanks + "    ";
  std::string text, rest = line;
  while (blanks.size() + rest.size() > columns_max) {
    const std::size_t assigned = skip_assigned(rest, columns_max - further.size()),
                      length =
                          assigned > 0 ? assigned : first_part(rest, columns_max - blanks.size());
    if (length == rest.size()) break;
    text += blanks + rest.substr(0, length) + "\n";
    rest.erase(0, length + 1);
    blanks = further;
  }
  return text + blanks + rest + "\n";
}

std::string documented(int depth, const std::vector<DocumentedLine>& lines) {
  const std::size_t indent = static_cast<std::size_t>(depth) * 2;
  const std::string blanks(indent, ' ');
  std::size_t widest = 0;
  for (const DocumentedLine& line : lines) {
    if (!line.doc.empty()) widest = std::max(widest, line.code.size());
  }
  const auto stands_behind = [&](const DocumentedLine& line) {
    return !line.doc.empty() && indent + widest + 2 + line.doc.size() <= columns_max;
  };
  std::string text;
  for (auto first = lines.begin(); first != lines.end();) {
    if (!stands_behind(*first)) {
      if (!first->doc.empty()) text += wrapped(depth, first->doc);
      text += blanks + first->code + "\n";
      ++first;
      continue;
    }
    const auto end = std::find_if_not(first, lines.end(), stands_behind);
    std::size_t column = 0;
    for (auto line = first; line != end; ++line) column = std::max(column, line->code.size());
    for (; first != end; ++first) {
      const std::string gap(column - first->code.size() + 2, ' ');
      text += blanks + first->code + gap + first->doc + "\n";
    }
  }
  return text;
}

}  // namespace alphasparse
