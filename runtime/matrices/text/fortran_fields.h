// fortran_fields: numbers in columns of fixed width, as a Fortran format says where they stand.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace alphasparse {

/// One repeated edit descriptor: "(26I3)", "(1P,3E25.16)", "(4D20.12)".
struct FortranFormat {
  std::int64_t count = 1;  ///< fields a line
  char kind = 'I';         ///< I, or E, D, F, G
  std::int64_t width = 0;  ///< characters of a field
  std::int64_t scale = 0;  ///< 1 in 1PF10.3: fields are ten times the number
};

/// Nothing where the text is none of these.
std::optional<FortranFormat> fortran_format(std::string_view text);

/// Reads field after field, from the beginning of a line. Some programs keep to the number of
/// fields a line and not to their width: where blanks part a line otherwise than the format, blanks
/// count.
class FortranFields {
 public:
  /// `text` and `name` must outlive it; `line` is the number of its first line.
  FortranFields(std::string_view text, std::string_view name, std::int64_t line)
      : rest_(text), name_(name), line_(line) {}

  /// The next fields have this format, and begin on a new line.
  void begin(const FortranFormat& format);

  /// An integer in [low, high]; fails, naming it by `what`.
  std::int64_t index(const char* what, std::int64_t low, std::int64_t high);

  /// A number as a double, finite.
  double real();

  std::int64_t bytes_left() const {
    return static_cast<std::int64_t>(rest_.size() + fields_.size());
  }
  std::int64_t line() const { return line_; }

  /// Throws Error: "name:line: reason".
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  std::string_view next(const char* what);
  void next_line();
  bool is_parted_by_blanks() const;

  std::string_view rest_;    ///< lines that have not begun
  std::string_view fields_;  ///< the rest of this line
  std::string_view name_;
  std::int64_t line_;
  FortranFormat format_;
  std::int64_t left_ = 0;  ///< fields of this line
  bool by_blanks_ = false;
  bool has_line_ = false;
};

}  // namespace alphasparse
