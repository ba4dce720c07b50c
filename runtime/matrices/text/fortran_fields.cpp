#include "runtime/matrices/text/fortran_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>

#include "base/printable.h"
#include "base/result.h"
#include "runtime/matrices/text/real_field.h"

namespace alphasparse {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// The first place, from `at` on, of a character that is a blank, or is none; else the end.
std::size_t find_next(std::string_view text, std::size_t at, bool blank) {
  while (at < text.size() && is_blank(text[at]) != blank) ++at;
  return at;
}

std::string_view trimmed(std::string_view field) {
  while (!field.empty() && is_blank(field.front())) field.remove_prefix(1);
  while (!field.empty() && is_blank(field.back())) field.remove_suffix(1);
  return field;
}

constexpr std::size_t steps_most = 10'000, fields_most = 1000;  // of a format
constexpr std::int64_t number_most = 1000;
constexpr int depth_most = 20;

class FormatReader {
 public:
  FormatReader(std::string_view text, const std::string& location) : location_(location) {
    for (const char c : text) {
      if (c != ' ') plain_ += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    rest_ = plain_;
  }

  FortranFormat read() {
    require(take("("));
    again_ = rest_;
    lay_out(1);
    format_.again = format_.fields.size();
    format_.lines_behind = lines_;
    rest_ = again_;
    lay_out(lines_ + 1);
    rest_ = again_;
    require(format_.fields.size() > format_.again);
    return std::move(format_);
  }

 private:
  void require(bool is_so) const {
    if (is_so) return;
    throw Error(
        fmt::format("{}: the format '{}' cannot be read from '{}' on; write the file with one such "
                    "as (8I10) or (4E20.12)",
                    location_, printable(plain_), printable(rest_)));
  }

  bool take(std::string_view text) {
    const bool is_there = rest_.starts_with(text);
    if (is_there) rest_.remove_prefix(text.size());
    return is_there;
  }

  std::optional<std::int64_t> take_number() {
    take("+");
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (problem == std::errc::invalid_argument) return std::nullopt;
    require(problem == std::errc() && number >= -number_most && number <= number_most);
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return number;
  }

  std::int64_t at_least(std::int64_t least, std::optional<std::int64_t> number) const {
    require(number && *number >= least);
    return *number;
  }

  /// From here to the end; its first field stands `lines` below the one before it.
  void lay_out(std::int64_t lines) {
    lines_ = lines;
    column_ = 0;
    while (!take(")")) descriptor(0);
    require(rest_.empty());
  }

  void descriptor(int depth) {
    require(++steps_ < steps_most && format_.fields.size() < 2 * fields_most && depth < depth_most);
    if (take(",") || take(":") || take("BN") || take("SP") || take("SS") || take("S")) return;
    const std::string_view begin = rest_;
    const std::optional<std::int64_t> number = take_number();
    if (take("P")) {
      scale_ = at_least(-number_most, number);
      return;
    }
    const std::int64_t count = at_least(1, number.value_or(1));
    if (take("(")) {
      if (depth == 0) again_ = begin;
      const std::string_view inside = rest_;
      for (std::int64_t time = 0; time < count; ++time) {
        rest_ = inside;
        while (!take(")")) descriptor(depth + 1);
      }
    } else if (take("/")) {
      lines_ += count;
      column_ = 0;
    } else if (take("X")) {
      column_ += count;
    } else if (take("TR")) {
      column_ += at_least(1, take_number());
    } else if (take("TL")) {
      column_ -= std::min(column_, at_least(1, take_number()));
    } else if (take("T")) {
      column_ = at_least(1, take_number()) - 1;
    } else {
      numbers(count);
    }
  }

  void numbers(std::int64_t count) {
    FortranField field;
    field.is_integer = take("I");
    require(field.is_integer || take("ES") || take("EN") || take("E") || take("F") || take("D") ||
            take("G"));
    const std::int64_t width = at_least(1, take_number());
    field.width = static_cast<std::size_t>(width);
    if (take(".")) field.decimals = at_least(0, take_number());
    if (take("E")) at_least(1, take_number());  // digits of an exponent that is written
    field.scale = scale_;
    for (; count > 0; --count, column_ += width) {
      field.first = static_cast<std::size_t>(column_);
      field.lines = std::exchange(lines_, 0);
      format_.fields.push_back(field);
    }
  }

  const std::string& location_;
  std::string plain_;       ///< upper case, without blanks
  std::string_view rest_;   ///< of plain_
  std::string_view again_;  ///< of plain_, from the last group on
  FortranFormat format_;
  std::int64_t column_ = 0, scale_ = 0, lines_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace

FortranFormat fortran_format(std::string_view text, const std::string& location) {
  return FormatReader(text, location).read();
}

void FortranFields::begin(const FortranFormat& format, std::int64_t numbers, std::int64_t lines) {
  // The slashes behind the last number belong to it.
  const bool is_end = format_ && (at_ == format_->again || at_ == format_->fields.size());
  std::int64_t behind = is_end ? format_->lines_behind : format_ ? format_->fields[at_].lines : 0;
  for (; behind > 0; --behind) next_line("number");
  std::int64_t lines_needed = 0;
  format_ = &format;
  for (at_ = 0; left_ < numbers;
       ++left_, at_ = at_ + 1 == format.fields.size() ? format.again : at_ + 1)
    lines_needed += format.fields[at_].lines;
  at_ = 0;
  is_to_the_letter_ = lines == lines_needed;
}

void FortranFields::next_line(const char* what) {
  if (rest_.empty()) fail(fmt::format("the file ends before a {}", what));
  if (has_line_) ++line_;
  has_line_ = true;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  fields_ = rest_.substr(0, end);
  fields_ = fields_.substr(0, fields_.find_last_not_of(" \t\r") + 1);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
}

bool FortranFields::is_parted_by_blanks() const {
  const FortranField* const first = &format_->fields[at_];
  const FortranField* const last =
      format_->fields.data() + (at_ < format_->again ? format_->again : format_->fields.size());
  const FortranField* field = first;
  bool fits = true;
  for (std::size_t end = 0; end < fields_.size(); ++field) {
    const std::size_t begin = find_next(fields_, end, false);
    end = find_next(fields_, begin, true);
    // One word more than fields, fields that touch, or a format that goes back.
    if (field == last || end - begin > field->width) return false;
    if (field != first && (field->lines > 0 || field->first < field[-1].first)) return false;
    fits = fits && begin >= field->first && end <= field->first + field->width;
  }
  if (fits || !is_to_the_letter_) return !fits;
  const std::int64_t count = field - first;
  return count == left_ || (count < left_ && (field == last || field->lines > 0));
}

std::string_view FortranFields::next(const char* what) {
  if (at_ == format_->fields.size()) at_ = format_->again;
  std::int64_t lines = format_->fields[at_].lines;
  if (lines > 0) record_ = at_;
  // A line may end before its last field, and blanks at its end are no field.
  while (lines > 0 ||
         (!is_to_the_letter_ && fields_.size() <= (by_blanks_ ? 0 : format_->fields[at_].first))) {
    do next_line(what);
    while (--lines > 0);
    at_ = record_;
    by_blanks_ = is_parted_by_blanks();
  }
  const FortranField& how = format_->fields[at_++];
  --left_;
  if (by_blanks_) {
    fields_ = trimmed(fields_);
    const std::string_view text = fields_.substr(0, find_next(fields_, 0, true));
    fields_.remove_prefix(text.size());
    return text;
  }
  const std::string_view field =
      how.first < fields_.size() ? trimmed(fields_.substr(how.first, how.width)) : "";
  if (field.empty()) return "0";
  if (field.find(' ') == field.npos) return field;
  changed_ = field;
  std::erase(changed_, ' ');
  return changed_;
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

std::string FortranFields::shifted(std::string_view field) const {
  const FortranField& how = format_->fields[at_ - 1];
  const bool has_point = field.find('.') != field.npos;
  if (by_blanks_ || how.is_integer || (has_point && how.scale == 0)) return "";
  const std::size_t sign = field.find_last_of("eEdDqQ+-");
  const bool has_exponent = sign != field.npos && sign > 0;
  const std::int64_t by = (has_point ? 0 : how.decimals) + (has_exponent ? 0 : how.scale);
  if (by == 0) return "";
  std::int32_t power = 0;
  std::string_view digits = field;
  if (has_exponent) {
    const std::string_view exponent = field.substr(sign + (field[sign] == '-' ? 0 : 1));
    const char* const end = exponent.data() + exponent.size();
    const auto [stop, problem] = std::from_chars(exponent.data(), end, power);
    if (problem != std::errc() || stop != end) return "";  // no number, or one far out of range
    digits = field.substr(0, sign);
    if (std::isalpha(static_cast<unsigned char>(digits.back()))) digits.remove_suffix(1);
  }
  return fmt::format("{}e{}", digits, power - by);
}

double FortranFields::real() {
  const std::string_view field = next("value");
  const std::string moved = shifted(field);
  double value = 0;
  switch (read_real(moved.empty() ? field : moved, value)) {
    case RealField::number:
      break;
    case RealField::no_number:
      fail(fmt::format("'{}' is not a number", printable(field)));
    case RealField::not_finite:
      fail(fmt::format("the value {} is not finite, or beyond double's range", printable(field)));
  }
  return value;
}

void FortranFields::fail(const std::string& reason) const {
  throw Error(fmt::format("{}:{}: {}", name_, line_, reason));
}

}  // namespace alphasparse
