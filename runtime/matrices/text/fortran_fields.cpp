#include "runtime/matrices/text/fortran_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/printable.h"
#include "base/result.h"
#include "runtime/matrices/text/real_field.h"

namespace alphasparse {

namespace {

constexpr std::int64_t number_most = 1000;  // in a format

/// The digits at the beginning of the text; nothing where there are none.
std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || number < -number_most || number > number_most) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// Upper case, without blanks and the parentheses around it.
std::string plain_format(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c != ' ' && c != '(' && c != ')')
      plain += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return plain;
}

std::string_view trimmed(std::string_view field) {
  while (!field.empty() && (field.front() == ' ' || field.front() == '\t')) field.remove_prefix(1);
  while (!field.empty() && (field.back() == ' ' || field.back() == '\t')) field.remove_suffix(1);
  return field;
}

}  // namespace

std::optional<FortranFormat> fortran_format(std::string_view text) {
  const std::string plain = plain_format(text);
  std::string_view rest = plain;
  FortranFormat format;
  std::optional<std::int64_t> number = take_number(rest);
  if (number && rest.starts_with('P')) {
    format.scale = *number;
    rest.remove_prefix(1);
    if (rest.starts_with(',')) rest.remove_prefix(1);
    number = take_number(rest);
  }
  format.count = number.value_or(1);
  if (rest.empty()) return std::nullopt;
  format.kind = rest[0];
  rest.remove_prefix(1);
  format.width = take_number(rest).value_or(0);
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    if (!take_number(rest)) return std::nullopt;
  }
  if (rest.starts_with('E')) {  // digits of the exponent
    rest.remove_prefix(1);
    if (!take_number(rest)) return std::nullopt;
  }
  const bool is_known = std::string_view("IEDFG").find(format.kind) != std::string_view::npos;
  const bool fits = format.count >= 1 && format.width >= 1;
  if (format.kind != 'F') format.scale = 0;  // numbers with an exponent are as they stand
  return is_known && fits && rest.empty() ? std::optional(format) : std::nullopt;
}

void FortranFields::begin(const FortranFormat& format) {
  format_ = format;
  fields_ = {};
  left_ = 0;
}

void FortranFields::next_line() {
  if (has_line_) ++line_;
  has_line_ = true;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  constexpr std::int64_t wider = 8;  // fields may be than the format says
  const auto most = static_cast<std::size_t>(format_.count * (format_.width + wider));
  fields_ = rest_.substr(0, std::min(end, most));
  fields_ = fields_.substr(0, fields_.find_last_not_of(" \t\r") + 1);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  left_ = format_.count;
  by_blanks_ = is_parted_by_blanks();
}

bool FortranFields::is_parted_by_blanks() const {
  const auto width = static_cast<std::size_t>(format_.width);
  std::size_t words = 0;
  bool fits = true;
  for (std::size_t end = 0; end < fields_.size(); ++words) {
    const std::size_t first = fields_.find_first_not_of(" \t", end);
    if (first == fields_.npos) break;
    end = std::min(fields_.find_first_of(" \t", first), fields_.size());
    if (end - first > width) return false;  // fields that touch
    fits = fits && first / width == words && (end - 1) / width == words;
  }
  return !fits && words <= static_cast<std::size_t>(format_.count);
}

std::string_view FortranFields::next(const char* what) {
  // A line may end before its last field, and blanks at its end are no field.
  while (left_ == 0 || fields_.empty()) {
    if (rest_.empty()) fail(fmt::format("the file ends before a {}", what));
    next_line();
  }
  --left_;
  if (by_blanks_) {
    fields_ = trimmed(fields_);
    const std::string_view word = fields_.substr(0, fields_.find_first_of(" \t"));
    fields_.remove_prefix(word.size());
    return word;
  }
  const std::string_view field = fields_.substr(0, static_cast<std::size_t>(format_.width));
  fields_.remove_prefix(field.size());
  return trimmed(field);
}

std::int64_t FortranFields::index(const char* what, std::int64_t low, std::int64_t high) {
  std::string_view field = next(what);
  if (field.starts_with('+')) field.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (problem != std::errc() || end != field.data() + field.size())
    fail(fmt::format("the {} '{}' is not an integer", what, printable(field)));
  if (value < low || value > high)
    fail(fmt::format("the {} {} is outside {}..{}", what, value, low, high));
  return value;
}

double FortranFields::real() {
  const std::string_view field = next("value");
  double value = 0;
  switch (read_real(field, value)) {
    case RealField::number:
      break;
    case RealField::no_number:
      fail(fmt::format("'{}' is not a number", printable(field)));
    case RealField::not_finite:
      fail(fmt::format("the value {} is not finite, or beyond double's range", printable(field)));
  }
  return format_.scale == 0 ? value : value * std::pow(10., -static_cast<double>(format_.scale));
}

void FortranFields::fail(const std::string& reason) const {
  throw Error(fmt::format("{}:{}: {}", name_, line_, reason));
}

}  // namespace alphasparse
