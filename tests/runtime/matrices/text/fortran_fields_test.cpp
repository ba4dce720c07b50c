// fortran_fields: the values of Rutherford-Boeing files under formats of all kinds, by gfortran
// too.
#include "runtime/matrices/text/fortran_fields.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <sstream>

#include "base/random.h"
#include "base/result.h"
#include "runtime/matrices/matrix_file.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

using Doubles = std::vector<double>;

std::int64_t lines_in(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

/// A matrix of one column, with these lines of values; `claimed` is the file's number of them.
std::string column_of(const std::string& format, std::size_t count, const std::string& lines,
                      std::int64_t claimed) {
  std::string rows;
  for (std::size_t row = 1; row <= count; ++row) rows += fmt::format("{:10}\n", row);
  return fmt::format("t\n 0 1 {0} {1} 0\nRUA {0} 1 {0} 0\n(2I10) (I10) {2}\n{3:10}{4:10}\n", count,
                     claimed, format, 1, count + 1) +
         rows + lines;
}

Doubles read_of_lines(const std::string& format, std::size_t count, const std::string& lines,
                      std::int64_t claimed) {
  return parse_matrix(column_of(format, count, lines, claimed), "m").value;
}

Doubles read_by(const std::string& format, std::size_t count, const std::string& lines) {
  return read_of_lines(format, count, lines, lines_in(lines));
}

std::string format_line_refusal(const std::string& format, const std::string& lines = "1.0\n") {
  try {
    read_by(format, 1, lines);
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

TEST(FortranFields, PlacesOfNumbers) {
  EXPECT_EQ(read_by("(3(1P,E10.2))", 4, "  1.00E+00  2.00E+00  3.00E+00\n  4.00E+00\n"),
            (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(read_by("(1X,2F4.1)", 3, "x 1.0 2.0\n  3.0\n"), (Doubles{1, 2, 3}));
  EXPECT_EQ(read_by("(T5,F4.1,TL8,F4.1,TR4,F4.1)", 3, " 1.0 2.0 3.0\n"), (Doubles{2, 1, 3}));
  EXPECT_EQ(read_by("(F4.1,2(1X,F4.1))", 5, " 1.0  2.0  3.0\n  4.0  5.0\n"),
            (Doubles{1, 2, 3, 4, 5}))
      << "behind its end a format begins anew at its last group";
  EXPECT_EQ(read_by("(F4.1/2X,F4.1)", 3, " 1.0\n   2.0\n 3.0\n"), (Doubles{1, 2, 3}));
  EXPECT_EQ(read_by("(2(F4.1,1X),2/)", 3, " 1.0  2.0\n\n\n 3.0\n"), (Doubles{1, 2, 3}));
  EXPECT_EQ(read_by("( s, bn, 2 ( 1 ( f 4.1 ) ) , : )", 3, " 1.0 2.0\n 3.0\n"), (Doubles{1, 2, 3}));
}

TEST(FortranFields, PointsAndScales) {
  EXPECT_EQ(read_by("(4F10.3)", 4, "      4000     -1000    3000E1      5.5\n"),
            (Doubles{4, -1, 30, 5.5}));
  EXPECT_EQ(read_by("(1P2E10.2,-1PF10.2,0PD10.2)", 5,
                    "       1.5     1.5E0       1.5       1.5\n       150\n"),
            (Doubles{0.15, 1.5, 15, 1.5, 0.15}))
      << "a number with an exponent has no scale";
  EXPECT_EQ(read_by("(F10.1,(F10.1,2P,F10.1))", 5,
                    "       1.5       1.5       1.5\n"
                    "       1.5       1.5\n"),
            (Doubles{1.5, 1.5, 0.015, 0.015, 0.015}))
      << "the last scale holds on where a group is repeated";
  EXPECT_EQ(read_by("(ES10.2,EN10.2E3,G10.2,I10)", 4, "       1.5    1.5D+3     1.5+3       150\n"),
            (Doubles{1.5, 1500, 1500, 150}));
}

TEST(FortranFields, BlanksInAField) {
  EXPECT_EQ(read_by("(3F6.1)", 3, " 1 5.0      1.E 2\n"), (Doubles{15, 0, 100}));
  EXPECT_EQ(read_by("(3F6.1)", 4, "   1.0\n   2.0\n"), (Doubles{1, 0, 0, 2}));
}

// Programs that write other columns, or fewer numbers a line, than their formats say.
TEST(FortranFields, LinesOfOtherPrograms) {
  EXPECT_EQ(read_by("(3F6.1)", 4, "     1.0     2.0     3.0\n     4.0\n"), (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(read_of_lines("(3F6.1)", 4, "1.0 2.0\n3.0\n4.0\n", 3), (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(read_of_lines("(3F6.1)", 3, "   1.0\n   2.0\n\n   3.0\n", 9), (Doubles{1, 2, 3}));
}

TEST(FortranFields, RefusalsAreOneLineWithARemedy) {
  for (const auto& [format, place] :
       {std::pair{"(3Q3)", "Q3)"},
        {"(BZ,F4.1)", "BZ,F4.1)"},
        {"(*(F4.1))", "*(F4.1))"},
        {"(F0.2)", ".2)"},
        {"(F1001.2)", "1001.2)"},
        {"(99999999999999999999P,F8.2)", "99999999999999999999P,F8.2)"},
        {"(0(F4.1))", "(F4.1))"},
        {"(P,F4.1)", ",F4.1)"},
        {"(1X,/)", "1X,/)"},
        {"(F4.1,(1X))", "(1X))"},
        {"(3(501F4.1,501F4.1))", "501F4.1,501F4.1))"},
        {"(1000(1000(1000())))", "1000())))"}}) {
    EXPECT_EQ(
        format_line_refusal(format),
        fmt::format("m:4: the format '{}' cannot be read from '{}' on; write the file with one "
                    "such as (8I10) or (4E20.12)",
                    format, place));
  }
  EXPECT_EQ(
      format_line_refusal(std::string(30, '(') + std::string(30, ')')).find("m:4: the format '"),
      0u);
  EXPECT_EQ(format_line_refusal("(F4.1)", "4E\n"), "m:7: '4E' is not a number");
  EXPECT_EQ(format_line_refusal("(F4.1)", "4x\n"), "m:7: '4x' is not a number");
  const std::string text = column_of("(F4.1)", 1, "1.0\n", 1);
  const std::size_t rows = text.find("(I10)");
  try {
    parse_matrix(std::string(text).replace(rows, 5, "(F10.0)"), "m");
    ADD_FAILURE() << "read";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "m:4: the format '(F10.0)' is not one of integers; write (8I10) or the like");
  }
}

/// Formats and fields at random, such as Fortran's standard allows.
class BoeingWriter {
 public:
  explicit BoeingWriter(std::uint64_t seed) : random_(seed) {}

  std::string format() {
    std::string text = "(" + (random_.chance(0.2) ? fmt::format("T{},", number(1, 9)) : "") +
                       items(0) + (random_.chance(0.1) ? "/" : "") + ")";
    if (random_.chance(0.3))
      for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (random_.chance(0.3)) text.insert(1, " ");
    return text;
  }

  /// The lines of so many numbers.
  std::string lines(const FortranFormat& format, std::size_t count) {
    const bool has_gaps = random_.chance(0.3);  // blanks in fields; else there may be empty fields
    std::vector<std::string> lines;
    for (std::size_t i = 0, at = 0; i < count; ++i) {
      const FortranField& field = format.fields[at];
      at = at + 1 == format.fields.size() ? format.again : at + 1;
      lines.resize(lines.size() + static_cast<std::size_t>(field.lines));
      lines.back().resize(std::max(lines.back().size(), field.first + field.width), ' ');
      lines.back().replace(field.first, field.width, text(field, has_gaps));
    }
    std::string joined;
    for (const std::string& line : lines) joined += line + "\n";
    return joined;
  }

  std::int64_t number(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(random_.below(most - least + 1));
  }

 private:
  std::string items(int depth) {
    std::string text;
    for (std::int64_t left = number(0, 3); left > 0; --left) {
      switch (number(0, 6)) {
        case 0:
          text += fmt::format("{}P{}", number(-2, 3), random_.chance(0.5) ? "," : field() + ",");
          break;
        case 1:
          text += fmt::format("{}X,", number(1, 4));
          break;
        case 2:
          text += fmt::format("TR{0},TL{0},", number(1, 4));
          break;
        case 3:
          text += fmt::format("{}/", random_.chance(0.5) ? "" : "2");
          break;
        case 4:
          if (depth < 2) text += fmt::format("{}({}),", number(1, 3), items(depth + 1));
          break;
        default:
          text += field() + ",";
      }
    }
    return text + field();
  }

  std::string field() {
    static constexpr const char* kinds[] = {"F", "E", "D", "G", "ES", "EN"};
    const std::string kind = kinds[random_.below(std::size(kinds))];
    const std::int64_t width = number(9, 26);
    const bool has_exponent = kind != "F" && kind != "D" && random_.chance(0.2);
    return fmt::format("{}{}{}.{}{}", random_.chance(0.5) ? "" : std::to_string(number(1, 3)), kind,
                       width, number(0, 6), has_exponent ? "E3" : "");
  }

  std::string text(const FortranField& field, bool has_gaps) {
    if (!has_gaps && random_.chance(0.05)) return std::string(field.width, ' ');
    std::string text = random_.chance(0.5) ? "-" : random_.chance(0.1) ? "+" : "";
    const std::size_t exponent_most = 5, room = field.width - text.size() - exponent_most - 1;
    const std::int64_t digits = number(1, static_cast<std::int64_t>(room) - 1);
    for (std::int64_t i = 0; i < digits; ++i) text += static_cast<char>('0' + number(0, 9));
    if (random_.chance(0.7))
      text.insert(text.size() - static_cast<std::size_t>(number(0, digits)), ".");
    if (random_.chance(0.6)) {
      static constexpr const char* letters[] = {"E", "e", "D", "d", "q", ""};
      const std::string letter = letters[random_.below(std::size(letters))];
      const std::int64_t power = random_.chance(0.1) ? number(-330, 270) : number(-20, 20);
      text += letter +
              (power < 0                               ? "-"
               : letter.empty() || random_.chance(0.5) ? "+"
                                                       : "") +
              std::to_string(std::abs(power));
    }
    if (has_gaps && text.size() + 1 < field.width)
      text.insert(static_cast<std::size_t>(number(1, static_cast<std::int64_t>(text.size()) - 1)),
                  " ");
    const std::size_t free = field.width - text.size();
    const std::size_t least = has_gaps ? 1 : 0;
    const std::size_t before = random_.chance(0.7) ? free : least + random_.below(free - least + 1);
    return std::string(before, ' ') + text + std::string(free - before, ' ');
  }

  Random random_;
};

constexpr const char* judge_program = R"(program judge
  character(4000) :: form
  character(8) :: name
  real(8) :: v(100)
  integer :: n, i, outcome
  open(1, file='cases')
  do
    read(1, '(A8,I4,1X,A)', iostat=outcome) name, n, form
    if (outcome /= 0) exit
    open(2, file=name)
    read(2, form, iostat=outcome) v(1:n)
    if (outcome == 0) write(*, '(100(1X,Z16.16))') (transfer(v(i), 1_8), i = 1, n)
    if (outcome /= 0) write(*, '(A,I6)') ' refused', outcome
    close(2)
  end do
end program
)";

TEST(FortranFields, GfortranReadsTheSameBits) {
  if (run_command("gfortran --version").status != 0) GTEST_SKIP() << "skipped: no gfortran on PATH";
  const char* const asked = std::getenv("ALPHASPARSE_SEED");
  const std::uint64_t first = asked ? std::strtoull(asked, nullptr, 10) : 1;
  constexpr std::uint64_t cases = 500;
  const TestFolder folder;
  std::string listed, ours;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    BoeingWriter writer(seed);
    const std::string format = writer.format();
    const auto count = static_cast<std::size_t>(writer.number(1, 60));
    const std::string lines = writer.lines(fortran_format(format, "format"), count);
    const std::string name = fmt::format("c{:07}", seed - first);
    set_contents(folder / name, lines + std::string(9, '\n'));  // for slashes at the end
    listed += fmt::format("{}{:4} {}\n", name, count, format);
    for (const double value : read_by(format, count, lines))
      ours += fmt::format(" {:016X}", std::bit_cast<std::uint64_t>(value));
    ours += "\n";
  }
  set_contents(folder / "cases", listed);
  set_contents(folder / "judge.f90", judge_program);
  const CommandOutcome judged = run_command(
      fmt::format("cd '{}' && gfortran judge.f90 -o judge && ./judge", folder.path().string()));
  ASSERT_EQ(judged.status, 0) << judged.output;
  std::istringstream theirs(judged.output), own(ours), formats(listed);
  std::string their_line, own_line, format;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    std::getline(theirs, their_line);
    std::getline(own, own_line);
    std::getline(formats, format);
    EXPECT_EQ(own_line, their_line) << "seed " << seed << ": " << format;
  }
  printf("%d formats from seed %llu on\n", static_cast<int>(cases),
         static_cast<unsigned long long>(first));
}

}  // namespace
}  // namespace alphasparse
