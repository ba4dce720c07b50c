#include "runtime/matrices/text/matrix_market_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/result.h"
#include "runtime/matrices/text/matrix_market_line.h"
#include "runtime/matrices/text/matrix_market_pieces.h"
#include "runtime/matrices/text/triangle.h"

namespace alphasparse {

namespace {

/// Entries that an array file stores.
std::int64_t array_count(std::int64_t size, std::int64_t cols, Mirror mirror) {
  if (mirror == Mirror::same || mirror == Mirror::conjugate) return size * (size + 1) / 2;
  if (mirror == Mirror::negated) return size * (size - 1) / 2;
  return size * cols;
}

}  // namespace

MarketEntryReader::MarketEntryReader(LineScanner& scanner, const MarketHeader& header,
                                     const std::string& name, const ReadLimits& limits)
    : scanner_(scanner), header_(header), limits_(limits) {
  entries_.name = name;
  entries_.mirror = header.mirror;
}

Entries MarketEntryReader::read() {
  read_sizes();
  reserve(scanner_.bytes_left());
  if (header_.layout == MarketLayout::coordinate) {
    read_coordinates();
  } else {
    with_field(header_.field, [&](auto field) { read_array<field()>(); });
  }
  return end();
}

Entries MarketEntryReader::end() {
  if (find_line()) {
    scanner_.fail(fmt::format("the file goes on behind the {} entries of its size line", count_));
  }
  return std::move(entries_);
}

bool MarketEntryReader::read_sizes_of_long() {
  if (header_.layout == MarketLayout::array) return false;
  read_sizes();
  return scanner_.bytes_left() > 0;
}

std::optional<Entries> MarketEntryReader::read_by_cores(TextPieces& text) {
  reserve(text.bytes_left_most());
  try {
    if (read_pieces(text)) return std::move(entries_);
  } catch (const Error&) {  // found far ahead, by many cores: another fault may stand before it
  }
  return std::nullopt;
}

Entries MarketEntryReader::read_by_lines(TextPieces& text) {
  reserve(text.bytes_left_most());
  behind_ = &text;
  scanner_.leave();
  read_all_lines();
  return end();
}

std::int64_t MarketEntryReader::check_sizes() {
  read_sizes();
  check_count(0);  // the number of entries is not known yet
  return count_;
}

void MarketEntryReader::read_sizes() {
  if (!scanner_.find_line()) scanner_.fail("the file ends before its size line");
  const std::int64_t rows = scanner_.index("row count", 0, index_limit);
  const std::int64_t cols = scanner_.index("column count", 0, index_limit);
  if (rows == 0 || cols == 0) scanner_.fail(nothing_text(rows, cols));
  if (header_.mirror != Mirror::none && rows != cols) {
    scanner_.fail(fmt::format("a {} matrix must be square, this one is {} x {}",
                              mirror_kind(header_.mirror).matrix, rows, cols));
  }
  std::int64_t least_expanded = 0;
  if (header_.layout == MarketLayout::array) {
    count_ = array_count(rows, cols, header_.mirror);
    // An array expands to all entries but a skew-symmetric diagonal.
    const bool skew = header_.mirror == Mirror::negated;
    check_expanded(rows * cols - (skew ? rows : 0));
  } else {
    count_ = scanner_.index("entry count", 0, limits_.expanded_count);
    // In a triangle no more than the diagonal is without an image.
    if (header_.mirror != Mirror::none) least_expanded = 2 * count_ - rows;
  }
  entries_.rows = static_cast<std::int32_t>(rows);
  entries_.cols = static_cast<std::int32_t>(cols);
  size_line_ = scanner_;
  check_expanded(least_expanded);
  scanner_.end_line();
}

void MarketEntryReader::check_expanded(std::int64_t expanded_count) const {
  if (expanded_count <= limits_.expanded_count) return;
  size_line_.fail(fmt::format("{} entries, mirror images included, are more than the limit {}",
                              expanded_count, limits_.expanded_count));
}

/// Checks the memory of so many entries, and of all rows and columns.
void MarketEntryReader::check_count(std::int64_t count) const {
  const bool is_complex = header_.field == MarketField::complex;
  const std::int64_t bytes = count_memory({entries_.rows, entries_.cols, count, is_complex},
                                          header_.mirror != Mirror::none);
  if (bytes <= limits_.memory_bytes) return;
  size_line_.fail(
      fmt::format("a matrix of this size takes {} of memory, {} are available; use "
                  "a machine with more, or raise its limit",
                  byte_count_text(bytes), byte_count_text(limits_.memory_bytes)));
}

/// Room for all entries that the text can hold: its size line may promise anything.
void MarketEntryReader::reserve(std::int64_t bytes_left) {
  const bool array = header_.layout == MarketLayout::array;
  const bool pattern = header_.field == MarketField::pattern;
  const bool is_complex = header_.field == MarketField::complex;
  // "1\n", "1 1\n", "1 1 1\n", and " 1" more for an imaginary part
  const std::int64_t line_bytes_min = (array ? 2 : pattern ? 4 : 6) + (is_complex ? 2 : 0);
  const std::int64_t count = std::min(count_, bytes_left / line_bytes_min + 1);
  check_count(count);
  entries_.row.reserve(count);
  entries_.col.reserve(count);
  entries_.value.reserve(count);
  if (is_complex) entries_.imag.reserve(count);
}

/// Goes to the next line that is no comment, in the text behind as well.
bool MarketEntryReader::find_line() {
  while (!scanner_.find_line()) {
    const auto next = behind_ ? behind_->next(1) : std::vector<std::string_view>();
    if (next.empty()) return false;
    scanner_.go_on(next.front());
  }
  return true;
}

void MarketEntryReader::find_entry() {
  if (!find_line()) {
    scanner_.fail(fmt::format("the file ends after {} of the {} entries of its size line",
                              entries_.count(), count_));
  }
  const std::int64_t line = scanner_.line();
  if (line != expected_line_) entries_.line_jumps.push_back({entries_.count(), line});
  expected_line_ = line + 1;
}

void MarketEntryReader::add(std::int32_t row, std::int32_t col, double value, double imag) {
  scanner_.end_line();
  entries_.row.push_back(row);
  entries_.col.push_back(col);
  entries_.value.push_back(value);
  if (header_.field == MarketField::complex) entries_.imag.push_back(imag);
}

/// A long text by all cores. Where anything in it is not as it should be, one by one: that tells
/// the fault and its place.
void MarketEntryReader::read_coordinates() {
  if (scanner_.bytes_left() > static_cast<std::int64_t>(TextPieces::piece_bytes)) {
    PiecesOfText text(scanner_.rest());
    if (read_pieces(text)) return scanner_.leave();
    forget_entries();
  }
  read_all_lines();
}

void MarketEntryReader::read_all_lines() {
  with_field(header_.field, [&](auto field) { read_lines<field()>(); });
}

bool MarketEntryReader::read_pieces(TextPieces& text) {
  MarketPieceReader reader(header_, limits_, count_, scanner_.line(), entries_);
  if (!reader.read(text)) return false;
  if (header_.mirror != Mirror::none) check_expanded(count_ + reader.off_diagonal());
  return true;
}

template <MarketField field>
void MarketEntryReader::read_lines() {
  const bool mirrored = header_.mirror != Mirror::none;
  std::int64_t expanded_count = count_;
  for (std::int64_t entry = 0; entry < count_; ++entry) {
    limits_.check(entry, entries_.name);
    find_entry();
    const auto [row, col] = read_position(scanner_, entries_.rows, entries_.cols);
    const double value = read_value<field>(scanner_, header_.field);
    const double imag = read_imag<field>(scanner_);
    if (row == col) {
      check_diagonal(row, value, imag);
    } else if (mirrored) {
      check_triangle(row, col);
      ++expanded_count;
    }
    add(row, col, value, imag);
  }
  check_expanded(expanded_count);
}

void MarketEntryReader::forget_entries() {
  entries_.row.clear();
  entries_.col.clear();
  entries_.value.clear();
  entries_.imag.clear();
  entries_.line_jumps.clear();
  expected_line_ = 0;
}

/// No diagonal that its image contradicts.
void MarketEntryReader::check_diagonal(std::int32_t row, double value, double imag) {
  if (is_own_image(header_.mirror, value, imag)) return;
  scanner_.fail(diagonal_complaint(header_.mirror, row));
}

/// One triangle only.
void MarketEntryReader::check_triangle(std::int32_t row, std::int32_t col) {
  const bool above = row < col;
  (above ? line_above_ : line_below_) = scanner_.line();
  if (line_above_ == 0 || line_below_ == 0) return;
  scanner_.fail(fmt::format(
      "entry {}, {} is {} the diagonal, but line {} has one {} it: a {} file stores one triangle",
      row + 1, col + 1, above ? "above" : "below", above ? line_below_ : line_above_,
      above ? "below" : "above", mirror_kind(header_.mirror).matrix));
}

template <MarketField field>
void MarketEntryReader::read_array() {
  const bool skew = header_.mirror == Mirror::negated;
  const bool has_diagonal = skew && count_lines_left() == count_ + entries_.cols;
  for (std::int32_t col = 0; col < entries_.cols; ++col) {
    if (has_diagonal) pass_zero<field>(col);
    const std::int32_t first_row = header_.mirror == Mirror::none ? 0 : col + skew;
    for (std::int32_t row = first_row; row < entries_.rows; ++row) {
      limits_.check(entries_.count(), entries_.name);
      find_entry();
      const double value = read_value<field>(scanner_, header_.field);
      const double imag = read_imag<field>(scanner_);
      if (row == col) check_diagonal(row, value, imag);
      add(row, col, value, imag);
    }
  }
}

/// Some programs store the zeros of a skew-symmetric array's diagonal.
std::int64_t MarketEntryReader::count_lines_left() const {
  std::int64_t lines = 0;
  for (LineScanner ahead = scanner_; ahead.find_line(); ahead.pass_line())
    limits_.check(++lines, entries_.name);
  return lines;
}

template <MarketField field>
void MarketEntryReader::pass_zero(std::int32_t col) {
  find_entry();
  const double value = read_value<field>(scanner_, header_.field);
  check_diagonal(col, value, read_imag<field>(scanner_));
  scanner_.end_line();
  expected_line_ = 0;  // the next entry does not follow the last one
}

}  // namespace alphasparse
