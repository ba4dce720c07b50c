#include "generator/code/printer.h"

#include <algorithm>

#include "base/wrapped.h"

namespace alphasparse {

namespace {

/// Functors of a statement that is longer than this, with its indentation, take lines of their own.
constexpr std::size_t functor_columns = 92;

/// Ends lines at soft breaks; or puts a blank there, in place of the next line's indentation.
std::string with_breaks(const std::string& line, int depth) {
  std::string one_line;
  for (const char c : line) {
    const bool is_indentation = c == ' ' && one_line.ends_with(soft_break);
    if (!is_indentation) one_line += c;
  }
  std::replace(one_line.begin(), one_line.end(), soft_break, ' ');
  if (one_line.size() + 2 * static_cast<std::size_t>(depth) <= functor_columns) return one_line;
  std::string lines = line;
  std::replace(lines.begin(), lines.end(), soft_break, '\n');
  return lines;
}

Code statement_text(const Statement& statement, int depth) {
  std::string line;
  if (!statement.guard.empty()) line += "if (" + statement.guard.text() + ") ";
  if (!statement.type.empty()) line += statement.type + " ";
  if (!statement.target.empty())
    line += statement.target.text() + (statement.adds ? " += " : " = ");
  line = with_breaks(line + statement.expression.text() + ";", depth);
  std::string text;
  if (!statement.comment.empty()) text += wrapped(depth, "// " + statement.comment);
  for (std::size_t start = 0; start < line.size();) {  // a functor of several lines keeps them
    const std::size_t end = std::min(line.find('\n', start), line.size());
    const std::size_t blanks = line.find_first_not_of(' ', start) - start;
    text += wrapped(depth + static_cast<int>(blanks) / 2,
                    line.substr(start + blanks, end - start - blanks));
    start = end + 1;
  }
  Code all = Code::plain(text);
  return all.read_too(statement.guard).read_too(statement.target).read_too(statement.expression);
}

/// "if (...)", "for (...)", or nothing.
Code head(const Slot& slot) {
  const Loop& loop = slot.loop;
  switch (slot.kind) {
    case Slot::Kind::scope:
      return {};
    case Slot::Kind::guard:
      return code("if ({})", slot.condition);
    case Slot::Kind::loop:
      if (loop.step.empty())
        return code("for (int {0} = {1}; {0} < {2}; ++{0})", loop.index, loop.first, loop.end);
      return code("for (int {0} = {1}; {0} < {2}; {0} += {3})", loop.index, loop.first, loop.end,
                  loop.step);
  }
  return {};
}

Code lines(int depth, const Code& line) {
  return Code::plain(wrapped(depth, line.text())).read_too(line);
}

Code slot_text(const std::vector<Slot>& slots, std::size_t index, int depth) {
  const Slot& slot = slots[index];
  const Code opens = head(slot);
  Code text;
  if (!opens.empty()) text += lines(depth++, opens + " {");
  for (const Statement& binding : slot.bindings) text += statement_text(binding, depth);
  for (const Statement& statement : slot.before) text += statement_text(statement, depth);
  if (index + 1 < slots.size()) text += slot_text(slots, index + 1, depth);
  for (const Statement& statement : slot.after) text += statement_text(statement, depth);
  if (!slot.otherwise.empty())
    text += lines(depth - 1, "} else {") + printed(slot.otherwise, depth);
  if (!opens.empty()) text += lines(depth - 1, "}");
  return text;
}

}  // namespace

Code printed(const std::vector<Slot>& slots, int depth) { return slot_text(slots, 0, depth); }

}  // namespace alphasparse
