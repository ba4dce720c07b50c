// fortran_fields: numbers in columns of fixed width, as a Fortran format says where they stand.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace alphasparse {

/// One number of a record, which is a line.
struct FortranField {
  bool is_integer = false;
  std::int64_t lines = 0;     ///< that it stands below the field before it
  std::size_t first = 0;      ///< its first character, from 0
  std::size_t width = 0;      ///< its characters
  std::int64_t decimals = 0;  ///< of its digits, where it has no point
  std::int64_t scale = 0;     ///< it is 10^scale times the number, where it has no exponent
};

/// A format, laid out: "(I3, 2(1X, I4))" is a line of three numbers, then lines of two. Behind its
/// last number, a format begins anew at its last group.
struct FortranFormat {
  std::vector<FortranField> fields;  ///< of the whole format, then of the part that is repeated
  std::size_t again = 0;             ///< the first of that part
  std::int64_t lines_behind = 0;     ///< slashes behind its last field
};

/// Throws Error (exit 2) where the text is none, "location: reason".
FortranFormat fortran_format(std::string_view text, const std::string& location);

/// Reads field after field, from the beginning of a line. As in Fortran, blanks in a field are no
/// characters of it, and a field of blanks is 0.
///
/// Some programs keep neither to the width of a field nor to the number of fields a line. So blanks
/// part the numbers of a line where they do so otherwise than the format, and there are as many as
/// the format has. Where there are other lines than the format needs, there may be fewer, and
/// numbers that a line has no room for stand in the next.
class FortranFields {
 public:
  /// `text` and `name` must outlive it; `line` is the number of its first line.
  FortranFields(std::string_view text, std::string_view name, std::int64_t line)
      : rest_(text), name_(name), line_(line) {}

  /// The next fields are so many numbers of this format, and begin on a new line. The file claims
  /// so many lines of them. The format must outlive them.
  void begin(const FortranFormat& format, std::int64_t numbers, std::int64_t lines);

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
  void next_line(const char* what);
  bool is_parted_by_blanks() const;
  std::string shifted(std::string_view field) const;

  std::string_view rest_;    ///< lines that have not begun
  std::string_view fields_;  ///< this line; the rest of it where blanks part it
  std::string_view name_;
  std::int64_t line_;
  const FortranFormat* format_ = nullptr;
  std::size_t at_ = 0;             ///< the next field of the format
  std::size_t record_ = 0;         ///< the first of this line
  std::int64_t left_ = 0;          ///< numbers
  bool is_to_the_letter_ = false;  ///< the lines are those that the format needs
  bool by_blanks_ = false;
  bool has_line_ = false;
  std::string changed_;  ///< the field that was read, where blanks were in it
};

}  // namespace alphasparse
