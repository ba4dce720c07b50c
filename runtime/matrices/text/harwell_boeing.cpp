#include "runtime/matrices/text/harwell_boeing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <vector>

#include "base/printable.h"
#include "base/result.h"
#include "runtime/matrices/text/fortran_fields.h"
#include "runtime/matrices/text/triangle.h"

namespace alphasparse {

namespace {

constexpr std::size_t type_letters = 3;

/// The text's lines, one by one.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  std::string_view next() {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++read_;
    return line;
  }

  std::string_view rest() const { return rest_; }
  std::int64_t read() const { return read_; }

 private:
  std::string_view rest_;
  std::int64_t read_ = 0;
};

std::vector<std::string_view> split_tokens(std::string_view line) {
  std::vector<std::string_view> tokens;
  while (true) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos) return tokens;
    line.remove_prefix(first);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    tokens.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::optional<std::int64_t> to_integer(std::string_view token) {
  constexpr std::size_t digits_most = 18;
  const char* const end = token.data() + token.size();
  std::int64_t number = -1;
  const bool is_whole = std::from_chars(token.data(), end, number).ptr == end;
  return is_whole && number >= 0 && token.size() <= digits_most ? std::optional(number)
                                                                : std::nullopt;
}

// The letters of a type, and their meanings.
constexpr std::array<std::string_view, type_letters> letters = {"rcipq", "ushzr", "ae"};
constexpr std::array<int, 5> parts_of_letter = {1, 2, 1, 0, 1};  ///< numbers of a value in the file
constexpr std::array<Mirror, 5> mirror_of_letter = {Mirror::none, Mirror::same, Mirror::conjugate,
                                                    Mirror::negated, Mirror::none};

/// The three letters of a type in lower case, where the word is one.
std::optional<std::string> to_type(std::string_view token) {
  if (token.size() != type_letters) return std::nullopt;
  std::string type;
  for (std::size_t i = 0; i < type_letters; ++i) {
    type += static_cast<char>(std::tolower(static_cast<unsigned char>(token[i])));
    if (letters[i].find(type[i]) == std::string_view::npos) return std::nullopt;
  }
  return type;
}

int count_parts(const std::string& type) { return parts_of_letter[letters[0].find(type[0])]; }

/// The groups in parentheses of the line of formats.
std::vector<std::string_view> list_formats(std::string_view line) {
  std::vector<std::string_view> formats;
  std::size_t first = 0, depth = 0;
  for (std::size_t index = 0; index < line.size(); ++index) {
    if (line[index] == '(' && depth++ == 0) first = index;
    if (line[index] != ')' || depth == 0) continue;
    if (--depth == 0) formats.push_back(line.substr(first, index + 1 - first));
  }
  return formats;
}

class HarwellBoeingReader {
 public:
  HarwellBoeingReader(std::string_view text, const std::string& name, const ReadLimits& limits)
      : lines_(text), name_(name), limits_(limits) {}

  Entries read() {
    read_header();
    FortranFields fields(lines_.rest(), name_, lines_.read() + 1);
    const std::vector<std::int64_t> first = read_pointers(fields);
    read_rows(fields, first);
    read_values(fields);
    return std::move(entries_);
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw Error(fmt::format("{}:{}: {}", name_, lines_.read(), reason));
  }

  void read_header() {
    lines_.next();
    const std::vector<std::string_view> cards = split_tokens(lines_.next());
    constexpr std::size_t rhs_cards = 4;
    const bool has_rhs = cards.size() > rhs_cards && to_integer(cards[rhs_cards]).value_or(0) > 0;
    for (std::size_t i = 0; i < lines_of_.size() && i + 1 < cards.size(); ++i)
      lines_of_[i] = to_integer(cards[i + 1]).value_or(0);
    read_type(split_tokens(lines_.next()));
    read_formats(list_formats(lines_.next()));
    if (has_rhs) lines_.next();
  }

  void read_type(const std::vector<std::string_view>& tokens) {
    const std::optional<std::string> type = tokens.empty() ? std::nullopt : to_type(tokens.front());
    if (!type) fail("no Rutherford-Boeing type, such as rua or psa, begins this line");
    parts_ = count_parts(*type);
    entries_.mirror = mirror_of_letter[letters[1].find((*type)[1])];
    if (entries_.mirror == Mirror::conjugate && parts_ != 2)
      fail("is Hermitian without complex values: write it as symmetric, such as rsa");
    if ((*type)[0] == 'q') fail("its values are in another file: write it as rua");
    if ((*type)[2] == 'e') fail("is not assembled: its elements must be added up first");
    if (parts_ == 0 && entries_.mirror == Mirror::negated)
      fail("a pattern has no signs and cannot be skew-symmetric");
    constexpr std::size_t sizes = 4;
    if (tokens.size() < sizes) fail("rows, columns and entries must follow the type");
    std::array<std::int64_t, 3> size{};
    for (std::size_t i = 0; i < size.size(); ++i) {
      const std::optional<std::int64_t> number = to_integer(tokens[i + 1]);
      if (!number) fail(fmt::format("'{}' is no size", printable(tokens[i + 1])));
      size[i] = *number;
    }
    const auto [rows, cols, count] = size;
    check_sizes(rows, cols, name_);
    if (entries_.mirror != Mirror::none && rows != cols) {
      fail(fmt::format("a {} matrix must be square, this one is {} x {}",
                       mirror_kind(entries_.mirror).matrix, rows, cols));
    }
    check_memory({rows, cols, count, parts_ == 2}, name_, limits_, entries_.mirror != Mirror::none);
    entries_.name = name_;
    entries_.rows = static_cast<std::int32_t>(rows);
    entries_.cols = static_cast<std::int32_t>(cols);
    count_ = count;
  }

  void read_formats(const std::vector<std::string_view>& texts) {
    const std::size_t wanted = parts_ == 0 ? 2 : 3;
    if (texts.size() < wanted) fail(fmt::format("has {} formats, not {}", texts.size(), wanted));
    for (std::size_t i = 0; i < wanted; ++i) {
      formats_[i] = fortran_format(texts[i], fmt::format("{}:{}", name_, lines_.read()));
      for (const FortranField& field : formats_[i].fields) {
        if (i < 2 && !field.is_integer)
          fail(fmt::format("the format '{}' is not one of integers; write (8I10) or the like",
                           printable(texts[i])));
      }
    }
  }

  /// Each number is a character at least.
  void check_room(const FortranFields& fields, std::int64_t numbers) const {
    if (numbers <= fields.bytes_left()) return;
    fields.fail(
        fmt::format("the file is too short for {} columns and {} entries", entries_.cols, count_));
  }

  std::vector<std::int64_t> read_pointers(FortranFields& fields) {
    check_room(fields, entries_.cols + 1 + (1 + parts_) * count_);
    fields.begin(formats_[0], std::int64_t{entries_.cols} + 1, lines_of_[0]);
    std::vector<std::int64_t> first;
    first.reserve(static_cast<std::size_t>(entries_.cols) + 1);
    for (std::int64_t col = 0; col <= entries_.cols; ++col) {
      limits_.check(col, name_);
      const std::int64_t least = first.empty() ? 1 : first.back() + 1;
      const std::int64_t most = first.empty() ? 1 : count_ + 1;
      first.push_back(fields.index("first entry of a column", least, most) - 1);
    }
    if (first.back() != count_)
      fields.fail(fmt::format("the columns have {} entries, not {}", first.back(), count_));
    return first;
  }

  void read_rows(FortranFields& fields, const std::vector<std::int64_t>& first) {
    fields.begin(formats_[1], count_, lines_of_[1]);
    entries_.row.reserve(static_cast<std::size_t>(count_));
    entries_.col.reserve(static_cast<std::size_t>(count_));
    Triangle triangle(entries_.mirror);
    for (std::int32_t col = 0; col < entries_.cols; ++col) {
      for (std::int64_t entry = first[col]; entry < first[col + 1]; ++entry) {
        limits_.check(entry, name_);
        const auto row = static_cast<std::int32_t>(fields.index("row index", 1, entries_.rows) - 1);
        if (entry == 0) entries_.line_jumps = {{0, fields.line()}};
        if (const std::string wrong = triangle.complaint(row, col); !wrong.empty())
          fields.fail(wrong);
        entries_.row.push_back(row);
        entries_.col.push_back(col);
      }
    }
    if (entries_.line_jumps.empty()) entries_.line_jumps = {{0, fields.line()}};
    triangle.check_expanded(limits_.expanded_count, name_);
  }

  void read_values(FortranFields& fields) {
    if (parts_ == 0) {
      entries_.value.assign(static_cast<std::size_t>(count_), 1);
      return;
    }
    fields.begin(formats_[2], parts_ * count_, lines_of_[2]);
    entries_.value.reserve(static_cast<std::size_t>(count_));
    if (parts_ == 2) entries_.imag.reserve(static_cast<std::size_t>(count_));
    for (std::int64_t entry = 0; entry < count_; ++entry) {
      limits_.check(entry, name_);
      const double real = fields.real();
      const Number value(real, parts_ == 2 ? fields.real() : 0);
      entries_.add_value(value, parts_);
      const std::int32_t row = entries_.row[entry];
      if (row == entries_.col[entry] && !is_own_image(entries_.mirror, value.re, value.im))
        fields.fail(diagonal_complaint(entries_.mirror, row));
    }
  }

  Lines lines_;
  const std::string& name_;
  const ReadLimits& limits_;
  Entries entries_;
  std::int64_t count_ = 0;
  int parts_ = 1;
  std::array<FortranFormat, 3> formats_;    ///< of pointers, rows and values
  std::array<std::int64_t, 3> lines_of_{};  ///< as the file claims
};

}  // namespace

bool is_harwell_boeing(std::string_view text) {
  Lines lines(text);
  lines.next();
  const std::vector<std::string_view> cards = split_tokens(lines.next());
  constexpr std::size_t cards_least = 3;
  if (cards.size() < cards_least) return false;
  for (const std::string_view token : cards) {
    if (!to_integer(token)) return false;
  }
  const std::vector<std::string_view> sizes = split_tokens(lines.next());
  return sizes.size() > cards_least && to_type(sizes.front()) && to_integer(sizes[1]) &&
         !list_formats(lines.next()).empty();
}

std::int64_t harwell_boeing_numbers(std::string_view text) {
  Lines lines(text);
  lines.next();
  lines.next();
  const std::vector<std::string_view> sizes = split_tokens(lines.next());
  constexpr std::size_t cols = 2, entries = 3;
  if (sizes.size() <= entries) return 0;
  const auto number = [&](std::size_t index) {
    return std::min(to_integer(sizes[index]).value_or(0), index_limit);
  };
  const int parts = count_parts(to_type(sizes.front()).value_or("r"));
  return number(cols) + (1 + parts) * number(entries);
}

Entries parse_harwell_boeing(std::string_view text, const std::string& name,
                             const ReadLimits& limits) {
  return HarwellBoeingReader(text, name, limits).read();
}

}  // namespace alphasparse
