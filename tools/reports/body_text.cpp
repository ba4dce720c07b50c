#include "tools/reports/body_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace alphasparse {

namespace {

/// One line a statement: a functor of several lines is one line here.
std::string join_lines(std::string text) {
  std::string line;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\n' || c == soft_break;
    if (!is_blank) line += c;
    if (is_blank && !line.ends_with(' ')) line += ' ';
  }
  return line;
}

class TreeLines {
 public:
  std::vector<std::string> take(const std::vector<Slot>& slots) {
    add_slots(slots, 1);
    return std::move(lines_);
  }

 private:
  void add(int depth, const std::string& text, std::vector<std::string> reads = {}) {
    std::string line(2 * static_cast<std::size_t>(depth), ' ');
    line += join_lines(text);
    if (!reads.empty()) line += fmt::format("  <- {}", fmt::join(reads, ", "));
    lines_.push_back(line);
  }

  void add_statement(const Statement& statement, int depth) {
    std::string text = statement.type.empty() ? (statement.target.empty() ? "call " : "set ")
                                              : "let " + statement.type + " ";
    if (!statement.target.empty())
      text += statement.target.text() + (statement.adds ? " += " : " = ");
    text += statement.expression.text();
    if (!statement.guard.empty()) text += " if " + statement.guard.text();
    Code reads = statement.expression;
    reads.read_too(statement.guard);
    if (statement.type.empty()) reads.read_too(statement.target);
    add(depth, text, reads.reads());
  }

  void add_head(const Slot& slot, int depth) {
    const Loop& loop = slot.loop;
    switch (slot.kind) {
      case Slot::Kind::scope:
        return add(depth, "scope");
      case Slot::Kind::guard:
        return add(depth, "guard " + slot.condition.text(), slot.condition.reads());
      case Slot::Kind::loop: {
        Code range = code("{} from {} to {} by {}", loop.index, loop.first, loop.end,
                          loop.step.empty() ? Code("1") : loop.step);
        return add(depth, "loop " + range.text(), range.reads());
      }
    }
  }

  void add_slots(const std::vector<Slot>& slots, int depth) {
    for (const Slot& slot : slots) {
      add_head(slot, depth++);
      for (const Statement& binding : slot.bindings) add_statement(binding, depth);
      for (const Statement& statement : slot.before) add_statement(statement, depth);
    }
    for (auto slot = slots.rbegin(); slot != slots.rend(); ++slot) {
      for (const Statement& statement : slot->after) add_statement(statement, depth);
      --depth;
      if (slot->otherwise.empty()) continue;
      add(depth, "otherwise");
      add_slots(slot->otherwise, depth + 1);
    }
  }

  std::vector<std::string> lines_;
};

bool has(const std::vector<std::string>& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

}  // namespace

void BodyText::add(const PassResult& pass) {
  if (first_pass_.empty()) first_pass_ = pass.name;
  if (first_pass_ == pass.name) {
    if (!text_.empty()) text_ += "\n";
    before_.clear();
  }
  const std::vector<std::string> lines = TreeLines().take(pass.slots);
  text_ += fmt::format("{}: {}\n", pass.name, pass.description);
  if (lines == before_) text_ += "    nothing to do\n";
  for (const std::string& line : before_) {
    if (!has(lines, line)) text_ += "-" + line.substr(1) + "\n";
  }
  for (const std::string& line : lines) {
    if (lines == before_) break;
    text_ += (has(before_, line) ? line : "+" + line.substr(1)) + "\n";
  }
  before_ = lines;
}

}  // namespace alphasparse
