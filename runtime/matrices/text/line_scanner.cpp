#include "runtime/matrices/text/line_scanner.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/printable.h"
#include "base/result.h"
#include "runtime/matrices/text/real_field.h"

namespace alphasparse {

namespace {

constexpr std::ptrdiff_t shown_length_max = 40;
constexpr const char* lone_return =
    "a carriage return ends no line by itself; convert the file with tr '\\r' '\\n'";

bool is_integer(std::string_view field) {
  if (field.starts_with('-')) field.remove_prefix(1);
  return !field.empty() && field.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

double LineScanner::real(const char* what) {
  skip_blanks();
  double value = 0;
  const auto [stop, problem] = fast_float::from_chars(past_sign(), end_, value);
  if (problem == std::errc::invalid_argument || !field_ends(stop)) [[unlikely]]
    return rare_real(what);
  if (!std::isfinite(value)) {
    const bool digits = std::any_of(at_, stop, [](char c) { return c >= '0' && c <= '9'; });
    fail(digits ? field() + " is beyond double's range"
                : fmt::format("the {} {} is not finite", what, field()));
  }
  at_ = stop;
  return value;
}

/// A number that is not written as C does.
double LineScanner::rare_real(const char* what) {
  if (line_ends()) fail(fmt::format("the line ends before its {}", what));
  const char* stop = at_;
  while (!field_ends(stop)) ++stop;
  double value = 0;
  switch (read_real({at_, static_cast<std::size_t>(stop - at_)}, value)) {
    case RealField::no_number:
      fail("'" + field() + "' is not a number");
    case RealField::not_finite:
      fail(field() + " is beyond double's range");
    case RealField::number:
      break;
  }
  at_ = stop;
  return value;
}

double LineScanner::integer() { return scan_int<std::int64_t>("an integer"); }

double LineScanner::unsigned_integer() { return scan_int<std::uint64_t>("an unsigned integer"); }

template <class Integer>
double LineScanner::scan_int(const char* kind) {
  skip_blanks();
  Integer value = 0;
  const auto [stop, problem] = std::from_chars(past_sign(), end_, value);
  if (problem == std::errc::invalid_argument || !field_ends(stop)) {
    fail(line_ends() ? "the line ends before its value"
                     : fmt::format("'{}' is not {}, as the header has it", field(), kind));
  }
  if (problem == std::errc::result_out_of_range) fail(field() + " is beyond 64 bits");
  at_ = stop;
  return static_cast<double>(value);
}

std::string LineScanner::field() {
  const char* stop = at_;
  if (!line_ends() && *stop == '\r') fail(lone_return);
  while (!field_ends(stop) && stop - at_ < shown_length_max) ++stop;
  const std::string shown = printable({at_, static_cast<std::size_t>(stop - at_)});
  return field_ends(stop) ? shown : shown + "...";
}

std::string LineScanner::token() {
  skip_blanks();
  std::string lower;
  for (; !field_ends(at_); ++at_) {
    lower += (*at_ >= 'A' && *at_ <= 'Z') ? static_cast<char>(*at_ - 'A' + 'a') : *at_;
  }
  return lower;
}

void LineScanner::fail(const std::string& reason) const {
  throw Error(fmt::format("{}:{}: {}", name_, line_, reason));
}

void LineScanner::skip_line() {
  const auto length = static_cast<std::size_t>(end_ - at_);
  const void* newline = std::memchr(at_, '\n', length);
  // Without any newline, a comment would hide all lines behind it.
  if (newline == nullptr && length > 0 && std::memchr(at_, '\r', length - 1)) fail(lone_return);
  at_ = newline == nullptr ? end_ : static_cast<const char*>(newline);
  next_line();
}

/// Neither from_chars takes a plus sign; "+-1" stays no number.
const char* LineScanner::past_sign() const {
  const bool plus = end_ - at_ >= 2 && *at_ == '+' && at_[1] != '-';
  return plus ? at_ + 1 : at_;
}

void LineScanner::fail_rest() { fail("'" + field() + "' stands behind the line's last field"); }

void LineScanner::fail_index(const char* what, std::int64_t low, std::int64_t high) {
  if (line_ends()) fail(fmt::format("the line ends before its {}", what));
  const std::string shown = field();
  if (!is_integer(shown)) fail(fmt::format("{} '{}' is not an integer", what, shown));
  fail(fmt::format("{} {} is outside {}..{}", what, shown, low, high));
}

}  // namespace alphasparse
