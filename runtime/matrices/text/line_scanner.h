// line_scanner: walks a text of blank-separated fields line by line and knows where it is.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace alphasparse {

/// A place in a text. Fields are separated by spaces and tabs, lines by LF or CRLF. A CR alone, the
/// line end of old Macs, is rejected with its remedy. `text` and `name` must outlive it.
class LineScanner {
 public:
  LineScanner(std::string_view text, std::string_view name)
      : at_(text.data()), end_(text.data() + text.size()), name_(name) {}

  /// The text that has not been read yet.
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

  std::int64_t line() const { return line_; }  ///< from 1
  std::int64_t bytes_left() const { return end_ - at_; }

  /// Goes to the first field of the next line that is neither blank nor a comment (%), the current
  /// one included where nothing of it has been read. False at the end of the text.
  bool find_line() {
    while (true) {
      skip_blanks();
      if (at_ == end_) return false;
      if (*at_ == '%') {
        skip_line();
      } else if (line_ends()) {
        next_line();
      } else {
        return true;
      }
    }
  }

  /// Leaves the rest to others: from now on the text is at its end.
  void leave() { at_ = end_; }

  /// Goes on in the text that follows this one, which has ended with a line.
  void go_on(std::string_view text) {
    at_ = text.data();
    end_ = at_ + text.size();
  }

  /// Ends the current line, with everything left on it.
  void pass_line() { skip_line(); }

  /// Ends the current line. Fails where a field is left on it.
  void end_line() {
    skip_blanks();
    if (!line_ends()) fail_rest();
    next_line();
  }

  /// Reads a field of digits into `value` in [low, high]. Fails, naming it by `what` ("row index").
  std::int64_t index(const char* what, std::int64_t low, std::int64_t high) {
    skip_blanks();
    const char* digit = at_;
    std::int64_t value = 0;
    // A value beyond every limit stays beyond it, without overflow.
    while (digit != end_ && *digit >= '0' && *digit <= '9') {
      if (value < over_every_limit) value = 10 * value + (*digit - '0');
      ++digit;
    }
    if (digit == at_ || !field_ends(digit) || value < low || value > high) {
      fail_index(what, low, high);
    }
    at_ = digit;
    return value;
  }

  /// Reads a number as a double, finite; its exponent may be Fortran's (real_field.h). Failures
  /// name it by `what`.
  double real(const char* what = "value");

  /// Reads an integer of 64 bits, rounded to the nearest double.
  double integer();

  /// Likewise, from 0 to 2^64 - 1.
  double unsigned_integer();

  /// The field here, empty at the line's end, as it may be shown in a message: control characters,
  /// and all beyond its first 40 characters, replaced.
  std::string field();

  /// Reads a field in lower case; empty at the line's end.
  std::string token();

  /// Throws Error: "name:line: reason".
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  static constexpr std::int64_t over_every_limit = std::int64_t{1} << 40;

  static bool is_blank(char character) { return character == ' ' || character == '\t'; }

  bool field_ends(const char* at) const {
    return at == end_ || is_blank(*at) || *at == '\n' || *at == '\r';
  }

  /// Nothing but the line's end follows: LF, CRLF or the end of the text.
  bool line_ends() const {
    if (at_ == end_ || *at_ == '\n') return true;
    return *at_ == '\r' && (at_ + 1 == end_ || at_[1] == '\n');
  }

  void skip_blanks() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
  }

  /// From the line's end to the next line's first character; the text's last line has none.
  void next_line() {
    if (at_ != end_ && *at_ == '\r') ++at_;
    if (at_ == end_) return;
    ++at_;
    ++line_;
  }

  template <class Integer>
  double scan_int(const char* kind);

  [[gnu::cold, gnu::noinline]] double rare_real(const char* what);
  void skip_line();
  const char* past_sign() const;
  // Failures stand apart, so that the code for each entry is small enough to be inlined.
  [[noreturn, gnu::cold]] void fail_index(const char* what, std::int64_t low, std::int64_t high);
  [[noreturn, gnu::cold]] void fail_rest();

  const char* at_;
  const char* end_;
  std::int64_t line_ = 1;
  std::string_view name_;
};

}  // namespace alphasparse
