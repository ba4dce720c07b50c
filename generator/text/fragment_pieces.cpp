#include "generator/text/fragment_pieces.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/result.h"
#include "base/wrapped.h"
#include "generator/text/host_text.h"

namespace alphasparse {

namespace {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view without_comment(std::string_view line) {
  return line.substr(0, std::min(line.find("//"), line.size()));
}

/// How many brackets a line leaves open.
int opened(std::string_view line) {
  int depth = 0;
  for (const char c : without_comment(line))
    depth += c == '(' || c == '{' ? 1 : c == ')' || c == '}' ? -1 : 0;
  return depth;
}

/// A definition up to its end; conditions of the preprocessor belong to each other.
std::string take_code(std::string_view& text) {
  const bool conditional = text.starts_with("#if");
  std::string code;
  int depth = 0;
  while (!text.empty()) {
    const std::string_view line = take_line(text), shown = without_comment(line);
    code += line;
    if (conditional) {
      depth += line.starts_with("#if") ? 1 : line.starts_with("#endif") ? -1 : 0;
      if (depth == 0) break;
      continue;
    }
    depth += opened(line);
    const std::size_t last = shown.find_last_not_of(" \n");
    if (code.starts_with('#')) break;
    if (depth == 0 && last != std::string_view::npos && (shown[last] == ';' || shown[last] == '}'))
      break;
  }
  return code;
}

/// The code behind the parameters of its template.
std::string_view skip_template(std::string_view code) {
  if (!code.starts_with("template")) return code;
  int depth = 0;
  for (std::size_t at = code.find('<'); at < code.size(); ++at) {
    depth += code[at] == '<' ? 1 : code[at] == '>' ? -1 : 0;
    if (depth == 0)
      return code.substr(std::min(code.find_first_not_of(" \n", at + 1), code.size()));
  }
  return code;
}

std::string name_at(std::string_view code, std::size_t first) {
  std::size_t end = first;
  while (end < code.size() && in_name(code[end])) ++end;
  return std::string(code.substr(first, end - first));
}

/// The word behind one of these, with which the code begins; empty: it begins with none.
std::string named_behind(std::string_view code, std::initializer_list<std::string_view> openings) {
  for (const std::string_view opening : openings) {
    if (code.starts_with(opening)) return name_at(code, opening.size());
  }
  return "";
}

void read_function(Piece& piece, std::string_view code, std::size_t bracket) {
  std::size_t end = bracket;
  int depth = 0;
  do {
    depth += code[end] == '(' ? 1 : code[end] == ')' ? -1 : 0;
    ++end;
  } while (depth > 0);
  const std::size_t skipped = piece.code.size() - code.size();
  piece.head = piece.code.substr(0, skipped + end);
  piece.types = find_identifiers(code.substr(bracket, end - bracket));
  piece.called = find_identifiers(piece.head);
  std::size_t first = bracket;
  while (first > 0 && in_name(code[first - 1])) --first;
  piece.name = std::string(code.substr(first, bracket - first));
  const std::size_t operation = code.substr(0, bracket).find(" operator");
  const bool is_first = code.substr(0, bracket).find("constexpr ") != std::string_view::npos ||
                        code.substr(0, bracket).find("auto ") != std::string_view::npos;
  if (operation != std::string_view::npos) {
    piece.kind = Piece::Kind::operation;
    piece.name = "";
  } else if (!is_first) {
    piece.kind = Piece::Kind::function;
  }
}

/// The kind of a piece, and its name.
void read_code(Piece& piece) {
  const std::string_view code = skip_template(piece.code);
  piece.names = find_identifiers(piece.code);
  if (code.starts_with("#include")) {
    piece.kind = Piece::Kind::include;
    return;
  }
  if (code.starts_with("#if")) {
    piece.name = named_behind(code.substr(code.find("#define")), {"#define "});
    return;
  }
  piece.name = named_behind(code, {"#define ", "struct ", "using ", "class "});
  if (!piece.name.empty()) return;
  const std::size_t attributes = code.starts_with("__attribute__((") ? code.find("))") + 2 : 0,
                    assigned = std::min(code.find(" ="), code.size()),
                    bracket = code.find('(', attributes);
  if (bracket < assigned) return read_function(piece, code, bracket);
  std::size_t first = std::min(assigned, code.find('['));  // of an array
  while (first > 0 && in_name(code[first - 1])) --first;
  piece.name = name_at(code, first);
  CHECK(!piece.name.empty());
}

std::vector<std::string> list_marks(std::string_view line) {
  std::vector<std::string> marks;
  line = line.substr(mark_opening.size(), line.size() - mark_opening.size() - 1);
  for (std::size_t end; (end = line.find(" | ")) != std::string_view::npos;
       line.remove_prefix(end + 3)) {
    marks.emplace_back(line.substr(0, end));
  }
  marks.emplace_back(line);
  return marks;
}

/// Without the values that parameters of a template have by default.
std::string without_defaults(std::string_view code) {
  std::string parameters(code.substr(0, code.size() - skip_template(code).size()));
  for (std::size_t at; (at = parameters.find(" = ")) != std::string::npos;)
    parameters.erase(at, parameters.find_first_of(",>", at) - at);
  return parameters + std::string(skip_template(code));
}

}  // namespace

std::set<std::string> find_identifiers(std::string_view code) {
  std::set<std::string> names;
  while (!code.empty()) {
    const std::string_view line = without_comment(take_line(code));
    for (std::size_t at = 0; at < line.size();) {
      std::string found = name_at(line, at);
      at += std::max<std::size_t>(found.size(), 1);
      if (!found.empty()) names.insert(std::move(found));
    }
  }
  return names;
}

std::vector<Piece> split_pieces(std::string_view text) {
  std::vector<Piece> pieces;
  std::string heading, comment;
  std::vector<std::string> marks;
  while (!text.empty()) {
    if (text.starts_with("namespace ") || text.starts_with("}")) {
      Piece piece;
      piece.kind = Piece::Kind::include;
      piece.heading = std::exchange(heading, "") + std::exchange(comment, "");
      piece.code = take_line(text);
      pieces.push_back(std::move(piece));
    } else if (text.starts_with('\n')) {
      text.remove_prefix(1);
      heading += std::exchange(comment, "");
    } else if (text.starts_with(mark_opening)) {
      marks = list_marks(take_line(text));
    } else if (text.starts_with("//")) {
      comment += take_line(text);
    } else {
      Piece piece;
      piece.code = take_code(text);
      read_code(piece);
      // The comment of a fragment with one subject stands directly before it.
      if (pieces.empty() && heading.empty() && !comment.starts_with("///"))
        std::swap(heading, comment);
      piece.heading = std::exchange(heading, "");
      piece.comment = std::exchange(comment, "");
      piece.marks = std::exchange(marks, {});
      pieces.push_back(std::move(piece));
    }
  }
  return pieces;
}

std::string write_declaration(const Piece& function) {
  const std::string_view head = function.head, rest = skip_template(head);
  std::string line;
  for (const char c : rest) {
    if (c == '\n' || (c == ' ' && (line.ends_with(' ') || line.ends_with('(')))) {
      if (!line.ends_with(' ') && !line.ends_with('(')) line += ' ';
    } else {
      line += c;
    }
  }
  return std::string(head.substr(0, head.size() - rest.size())) + wrapped(0, line + ";");
}

std::string write_definition(const Piece& function) { return without_defaults(function.code); }

}  // namespace alphasparse
