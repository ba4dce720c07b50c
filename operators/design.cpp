#include "operators/design.h"

#include <fmt/format.h>

#include <cctype>

namespace alphasparse {

bool Design::operator==(const Design& other) const { return steps == other.steps; }

namespace {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
}

/// Recursive descent over the text; the first problem wins.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Design> parse() {
    Design design = parse_steps(0);
    if (reason_.empty() && at_ < text_.size()) {
      fail(text_[at_] == '}' ? "'}' without '{'" : "'|' expected between two steps");
    }
    if (!reason_.empty()) return Failure{Status::pruned, reason_};
    return design;
  }

 private:
  static constexpr int depth_max = 16;

  Design parse_steps(int depth) {
    Design design;
    if (depth > depth_max) fail("branches nest too deeply");
    while (reason_.empty()) {
      design.steps.push_back(parse_step(depth));
      if (peek() != '|' || !reason_.empty()) break;
      if (!design.steps.back().branches.empty()) fail("nothing may follow branches");
      ++at_;
    }
    return design;
  }

  Step parse_step(int depth) {
    Step step;
    step.op = parse_name("an operator");
    while (reason_.empty() && is_name_character(peek())) {
      Parameter parameter;
      parameter.name = parse_name("a parameter");
      for (const Parameter& other : step.parameters) {
        if (other.name != parameter.name) continue;
        at_ -= parameter.name.size();
        fail(fmt::format("'{}' is given twice", other.name));
      }
      if (at_ >= text_.size() || text_[at_] != '=') {
        fail(fmt::format("'=' expected right after '{}'", parameter.name));
        break;
      }
      ++at_;
      parameter.value = parse_value();
      step.parameters.push_back(std::move(parameter));
    }
    while (reason_.empty() && peek() == '{') {
      ++at_;
      step.branches.push_back(parse_steps(depth + 1));
      if (reason_.empty() && peek() != '}') fail("'}' expected");
      ++at_;
    }
    return step;
  }

  std::string parse_name(const char* what) {
    skip_blanks();
    const std::size_t start = at_;
    while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
    if (at_ == start) fail(fmt::format("{} expected", what));
    return std::string(text_.substr(start, at_ - start));
  }

  std::string parse_value() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_name_character(text_[at_]) || text_[at_] == ',')) ++at_;
    const std::string value(text_.substr(start, at_ - start));
    const bool bad_comma = value.empty() || value.front() == ',' || value.back() == ',' ||
                           value.find(",,") != std::string::npos;
    if (bad_comma) {
      at_ = start;
      fail("a value expected right after '='");
    }
    return value;
  }

  char peek() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  void fail(const std::string& what) {
    if (reason_.empty()) reason_ = fmt::format("{} at column {} of the design", what, at_ + 1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string reason_;
};

}  // namespace

Result<Design> parse_design(std::string_view text) { return Parser(text).parse(); }

std::string print_design(const Design& design) {
  std::string text;
  for (const Step& step : design.steps) {
    if (!text.empty()) text += " | ";
    text += step.op;
    for (const Parameter& parameter : step.parameters) {
      text += " " + parameter.name + "=" + parameter.value;
    }
    for (const Design& branch : step.branches) text += " { " + print_design(branch) + " }";
  }
  return text;
}

}  // namespace alphasparse
