// Breaks fall where clang-format puts them. An assignment breaks behind its = where the right side
// then fits a line. Else a break is between the parts of the outermost brackets. Later parts begin
// below the first one, or, where that takes fewer lines, all begin four columns further in. A part
// that is longer than a line is broken in its own brackets.
#include "base/wrapped.h"

#include <algorithm>
#include <vector>

namespace alphasparse {

namespace {

/// Calls visit(position, depth) for each character, with the number of brackets open before it.
/// A < behind a name opens template arguments; a comparison has a blank there.
template <class Visit>
void walk(const std::string& text, Visit visit) {
  int depth = 0, angles = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    const bool opens_angle = c == '<' && i > 0 && text[i - 1] != ' ' && text[i - 1] != '<';
    const bool closes_angle = c == '>' && angles > 0;
    const bool closes = !quoted && (c == ')' || c == '}' || c == ']' || closes_angle);
    if (closes) --depth;
    visit(i, quoted ? 1 << 20 : depth);
    if (!quoted && (c == '(' || c == '{' || c == '[' || opens_angle)) ++depth;
    angles += !quoted && opens_angle;
    angles -= !quoted && closes_angle;
  }
}

/// The text's parts at separators outside of its brackets, each with its separator.
std::vector<std::string> parts_of(const std::string& text,
                                  const std::vector<std::string>& separators) {
  std::vector<std::string> parts;
  std::size_t first = 0;
  walk(text, [&](std::size_t at, int depth) {
    if (depth != 0 || at < first) return;
    for (const std::string& separator : separators) {
      if (text.compare(at, separator.size(), separator) != 0) continue;
      parts.push_back(text.substr(first, at + separator.size() - 1 - first));
      first = at + separator.size();
    }
  });
  parts.push_back(text.substr(first));
  return parts;
}

/// Of a list, a for loop, a condition, or a sum: the first separator that the text has.
std::vector<std::string> parts_of(const std::string& text) {
  for (const char* const separator : {"; ", ", ", " && ", " + "}) {
    std::vector<std::string> parts = parts_of(text, {separator});
    if (parts.size() > 1) return parts;
  }
  return {text};
}

/// Lines of a layout, and its cost: the least one is taken.
struct Layout {
  std::string text;
  int breaks = 0;
  bool fits = true;
  bool is_nested = false;  ///< it breaks in brackets inside others
};

/// Parts side by side from `column` on, and lines of them from `indent` on.
Layout packed(const std::string& head, const std::vector<std::string>& parts, std::size_t column,
              std::size_t indent) {
  Layout layout{head, 0, true};
  std::size_t at = column;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t before = i > 0 ? 1 : 0;
    if (i > 0 && at + before + parts[i].size() > columns_max) {
      layout.text += "\n" + std::string(indent, ' ');
      ++layout.breaks;
      at = indent;
    } else if (i > 0) {
      layout.text += " ";
      ++at;
    }
    layout.text += parts[i];
    at += parts[i].size();
    layout.fits = layout.fits && at <= columns_max;
  }
  layout.text += "\n";
  return layout;
}

/// Six or more parts of a braced list stand in columns, in as few lines as may be.
Layout in_columns(const std::string& head, const std::vector<std::string>& parts,
                  std::size_t column) {
  for (std::size_t rows = 2; rows <= parts.size(); ++rows) {
    const std::size_t count = (parts.size() + rows - 1) / rows;
    std::vector<std::size_t> widths(count);
    for (std::size_t i = 0; i < parts.size(); ++i)
      widths[i % count] = std::max(widths[i % count], parts[i].size() + 1);
    std::size_t width = column;
    for (const std::size_t one : widths) width += one;
    if (width - 1 > columns_max && count > 1) continue;
    Layout layout{head, static_cast<int>(rows), true};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i > 0 && i % count == 0) layout.text += "\n" + std::string(column, ' ');
      layout.text += parts[i];
      const bool ends = i + 1 == parts.size() || (i + 1) % count == 0;
      if (!ends) layout.text += std::string(widths[i % count] - parts[i].size(), ' ');
    }
    layout.text += "\n";
    return layout;
  }
  return {"", 0, false};
}

/// The first bracket that opens with `level` others around it, from `from` on, and the last that
/// closes there.
struct Brackets {
  std::size_t open = std::string::npos, close = std::string::npos;

  bool are_there() const {
    return open != std::string::npos && close != std::string::npos && open < close;
  }
};

Brackets brackets_in(const std::string& line, std::size_t from, int level) {
  Brackets found;
  walk(line, [&](std::size_t at, int depth) {
    if (at < from || depth != level) return;
    const char c = line[at];
    if (c == '(' || (c == '{' && at + 1 < line.size())) {
      found.open = found.open == std::string::npos ? at : found.open;
    } else if (c == ')' || c == '}') {
      found.close = at;
    }
  });
  return found;
}

/// Each part on lines of its own, from `column` on. One that is too long for a line is broken in
/// its brackets.
Layout stacked(const std::string& head, const std::vector<std::string>& parts, std::size_t column);

/// The layout of a statement that begins at `indent`. The text before `from` stays on the first
/// line. A part that is alone in its brackets, and too long, is broken in its own. `level` brackets
/// are around those, and a line of their parts begins at `inner`.
Layout bracketed(const std::string& line, std::size_t indent, std::size_t from, int level,
                 std::size_t inner) {
  const Brackets at = brackets_in(line, from, level);
  if (!at.are_there()) return {"", 0, false};
  const std::string head = line.substr(0, at.open + 1), tail = line.substr(at.close);
  std::vector<std::string> parts = parts_of(line.substr(at.open + 1, at.close - at.open - 1));
  if (parts.front().empty()) return {"", 0, false};
  parts.back() += tail;
  const std::string blanks(indent, ' ');
  const std::size_t column = indent + head.size();
  if (line[at.open] == '{' && parts.size() > 5) return in_columns(blanks + head, parts, column);
  const Layout below = packed(blanks + head, parts, column, column);
  Layout inside = packed(blanks + head + "\n" + std::string(inner, ' '), parts, inner, inner);
  ++inside.breaks;
  if (inside.fits && (!below.fits || inside.breaks < below.breaks)) return inside;
  if (below.fits) return below;
  if (parts.size() > 1) return stacked(blanks + head, parts, column);
  const std::size_t part =  // of a value in braces, its type
      line[at.open] == '(' ? at.open + 1 : line.rfind(' ', at.open) + 1;
  Layout nested = bracketed(line, indent, at.open + 1, level + 1, indent + part + 4);
  nested.is_nested = true;
  return nested;
}

Layout bracketed(const std::string& line, std::size_t indent, std::size_t from) {
  return bracketed(line, indent, from, 0, indent + 4);
}

Layout stacked(const std::string& head, const std::vector<std::string>& parts, std::size_t column) {
  Layout layout;
  for (const std::string& part : parts) {
    const bool is_short = column + part.size() <= columns_max;
    const Layout one =
        is_short ? Layout{std::string(column, ' ') + part + "\n"} : bracketed(part, column, 0);
    layout.text += one.text;
    layout.fits = layout.fits && one.fits;
  }
  if (layout.fits) layout.text.replace(0, column, head);
  layout.is_nested = true;
  return layout;
}

/// A sum or product behind "return ", later parts below the first. Parts that are too long for a
/// line are broken in their brackets.
Layout summed(const std::string& line, std::size_t indent) {
  const std::string head = "return ";
  if (!line.starts_with(head)) return {"", 0, false};
  std::vector<std::string> parts = parts_of(line.substr(head.size()), {" + ", " - "});
  if (parts.size() < 2) parts = parts_of(line.substr(head.size()), {" * "});
  if (parts.size() < 2) return {"", 0, false};
  const std::size_t column = indent + head.size();
  const std::string blanks = std::string(indent, ' ') + head;
  const Layout layout = packed(blanks, parts, column, column);
  if (layout.fits) return layout;
  return stacked(blanks, parts, column);
}

/// "if (...) " or "for (...) " in front of a statement on the same line; empty: there is none.
std::string head_of(const std::string& line) {
  if (!line.starts_with("if (") && !line.starts_with("for (")) return "";
  std::size_t close = std::string::npos;
  walk(line, [&](std::size_t at, int depth) {
    if (close == std::string::npos && depth == 0 && line[at] == ')') close = at;
  });
  if (close == std::string::npos || close + 2 >= line.size() || line[close + 2] == '{') return "";
  return line.substr(0, close + 1);
}

std::size_t assignment_in(const std::string& line) {
  std::size_t found = std::string::npos;
  walk(line, [&](std::size_t at, int depth) {
    if (depth == 0 && found == std::string::npos && line.compare(at, 3, " = ") == 0) found = at;
  });
  return found;
}

std::ptrdiff_t lines_of(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
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
  const std::size_t indent = static_cast<std::size_t>(depth) * 2;
  const std::string blanks(indent, ' ');
  if (line.starts_with("//")) return comment_text(blanks, line);
  if (indent + line.size() <= columns_max) return blanks + line + "\n";
  const std::string head = head_of(line);
  if (!head.empty()) return wrapped(depth, head) + wrapped(depth + 1, line.substr(head.size() + 1));
  const std::size_t body = line.find(" { return ");
  if (body != std::string::npos && line.ends_with("; }")) {  // a function of one statement
    return wrapped(depth, line.substr(0, body + 2)) +
           wrapped(depth + 1, line.substr(body + 3, line.size() - body - 5)) + blanks + "}\n";
  }
  const std::size_t assigned = assignment_in(line);
  const bool assigns = assigned != std::string::npos;
  if (assigns && indent + 4 + line.size() - assigned - 3 <= columns_max)
    return blanks + line.substr(0, assigned + 2) + "\n" +
           wrapped(depth + 2, line.substr(assigned + 3));
  const Layout sum = summed(line, indent);
  if (sum.fits && !sum.is_nested) return sum.text;
  const Layout layout = bracketed(line, indent, assigns ? assigned + 3 : 0);
  if (sum.fits && (!layout.fits || layout.is_nested)) return sum.text;
  if (assigns && (!layout.fits || layout.is_nested)) {
    const Layout right = bracketed(line.substr(assigned + 3), indent + 4, 0);
    const std::string behind = blanks + line.substr(0, assigned + 2) + "\n" + right.text;
    if (right.fits && (!layout.fits || lines_of(behind) <= lines_of(layout.text))) return behind;
  }
  const std::size_t open = line.find('('), name = line.rfind(' ', open);
  const bool has_room = layout.fits && layout.text.find('\n') <= columns_max;
  if (!has_room && depth == 0 && !assigns && open != std::string::npos && name != std::string::npos)
    return line.substr(0, name) + "\n" + wrapped(0, line.substr(name + 1));  // behind its type
  return layout.fits ? layout.text : blanks + line + "\n";
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
