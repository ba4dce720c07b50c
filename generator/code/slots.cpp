#include "generator/code/slots.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/wrapped.h"

namespace alphasparse {

namespace {

std::string statement_text(const Statement& statement, int depth) {
  std::string line;
  const bool adds = statement.declaration.ends_with("=");
  if (!statement.guard.empty()) line += fmt::format("if ({}) ", statement.guard);
  if (!statement.declaration.empty()) {
    line += statement.declaration + (adds ? " " : " = ");
  }
  line += statement.expression + ";";
  std::string text;
  if (!statement.comment.empty()) text += wrapped(depth, "// " + statement.comment);
  for (std::size_t start = 0; start < line.size();) {  // a functor of several lines keeps them
    const std::size_t end = std::min(line.find('\n', start), line.size());
    const std::size_t blanks = line.find_first_not_of(' ', start) - start;
    text += wrapped(depth + static_cast<int>(blanks) / 2,
                    line.substr(start + blanks, end - start - blanks));
    start = end + 1;
  }
  return text;
}

std::string slot_text(const std::vector<Slot>& slots, std::size_t index, int depth) {
  const Slot& slot = slots[index];
  std::string text;
  if (!slot.header.empty()) text += wrapped(depth++, slot.header + " {");
  for (const Statement& let : slot.bindings) text += statement_text(let, depth);
  for (const Statement& statement : slot.before) text += statement_text(statement, depth);
  if (index + 1 < slots.size()) text += slot_text(slots, index + 1, depth);
  for (const Statement& statement : slot.after) text += statement_text(statement, depth);
  if (!slot.otherwise.empty()) {
    text += wrapped(depth - 1, "} else {") + slots_text(slot.otherwise, depth);
  }
  if (!slot.header.empty()) text += wrapped(depth - 1, "}");
  return text;
}

std::string without_comments(std::string text) {
  for (std::size_t at = text.find("//"); at != std::string::npos; at = text.find("//", at)) {
    text.erase(at, text.find('\n', at) - at);
  }
  return text;
}

/// Where the bracket that opens at `at` is closed.
std::size_t end_of_bracket(const std::string& text, std::size_t at, char opens, char closes) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    depth += (text[at] == opens) - (text[at] == closes);
    if (depth == 0) break;
  }
  return std::min(at, text.size());
}

/// The text without the functors that have a parameter of that name, which is another value there.
std::string without_functors_of(std::string text, const std::string& name) {
  constexpr std::string_view functor = "[&](";
  for (std::size_t at = text.find(functor); at != std::string::npos; at = text.find(functor, at)) {
    const std::size_t first = at + functor.size() - 1;
    const std::size_t end = end_of_bracket(text, first, '(', ')');
    if (times_named(text.substr(first, end - first), name) == 0) {
      at = end;
      continue;
    }
    text.erase(at, end_of_bracket(text, text.find('{', end), '{', '}') - at);
  }
  return text;
}

/// The slots without the values that nothing reads. The reads are known only when all slots are
/// filled.
std::vector<Slot> without_unread(std::vector<Slot> slots) {
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    const std::string text = without_comments(slot_text(slots, 0, 0));
    for (Slot& slot : slots) {
      const auto is_unread = [&](const Statement& let) {
        const std::string name = let.declaration.substr(let.declaration.rfind(' ') + 1);
        return times_named(without_functors_of(text, name), name) == 1;
      };
      is_changed |= std::erase_if(slot.bindings, is_unread) > 0;
    }
  }
  return slots;
}

}  // namespace

void Slot::bind(const std::string& declaration, const std::string& expression,
                const std::string& comment) {
  const bool known = std::any_of(bindings.begin(), bindings.end(), [&](const Statement& statement) {
    return statement.declaration == declaration;
  });
  if (!known) bindings.push_back({declaration, expression, "", comment});
}

std::string slots_text(const std::vector<Slot>& slots, int depth) {
  return slot_text(without_unread(slots), 0, depth);
}

}  // namespace alphasparse
