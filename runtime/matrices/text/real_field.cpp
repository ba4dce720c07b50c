#include "runtime/matrices/text/real_field.h"

#include <charconv>
#include <cmath>
#include <string>

namespace alphasparse {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The field with an e before its exponent; unchanged where it has none, or one already.
std::string insert_e(std::string_view field) {
  std::string text(field);
  if (text.find_first_of("eE") != std::string::npos) return text;
  const std::size_t letter = text.find_first_of("dDqQ");
  if (letter != std::string::npos) {
    text[letter] = 'e';
    return text;
  }
  const std::size_t sign = text.find_last_of("+-");
  const bool is_exponents =
      sign != std::string::npos && sign > 0 && (is_digit(text[sign - 1]) || text[sign - 1] == '.');
  if (is_exponents) text.insert(sign, "e");
  return text;
}

}  // namespace

RealField read_real(std::string_view field, double& value) {
  if (field.starts_with('+') && !field.starts_with("+-")) field.remove_prefix(1);
  if (field.empty()) return RealField::no_number;
  const std::string text = insert_e(field);
  const char* const end = text.data() + text.size();
  // Not by fast_float: a second call of its function would no longer be inlined into the first.
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem == std::errc::invalid_argument || stop != end) return RealField::no_number;
  if (problem == std::errc::result_out_of_range) {
    if (text.find("e-") == text.npos && text.find("E-") == text.npos) return RealField::not_finite;
    value = std::copysign(0., text[0] == '-' ? -1. : 1.);
  }
  return std::isfinite(value) ? RealField::number : RealField::not_finite;
}

}  // namespace alphasparse
