#include "runtime/matrices/text/matrix_market.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/parallel.h"
#include "base/result.h"
#include "runtime/matrices/containers/text_source.h"
#include "runtime/matrices/file_kind.h"
#include "runtime/matrices/text/line_scanner.h"
#include "runtime/system/machine/cores.h"

namespace alphasparse {

namespace {

enum class Layout { coordinate, array };
enum class Field { real, integer, unsigned_integer, pattern };

struct Header {
  Layout layout;
  Field field;
  Symmetry symmetry;
};

template <class Meaning>
struct Word {
  const char* text;
  Meaning meaning;
};

constexpr Word<Layout> layouts[] = {{"coordinate", Layout::coordinate}, {"array", Layout::array}};
constexpr Word<Field> fields[] = {{"real", Field::real},
                                  {"double", Field::real},
                                  {"integer", Field::integer},
                                  {"unsigned-integer", Field::unsigned_integer},
                                  {"pattern", Field::pattern}};
constexpr Word<Symmetry> symmetries[] = {{"general", Symmetry::general},
                                         {"symmetric", Symmetry::symmetric},
                                         {"skew-symmetric", Symmetry::skew_symmetric}};

/// Reads one word of the header and looks it up. `what` and `choices` are for messages.
template <class Meaning, std::size_t count>
Meaning header_word(LineScanner& scanner, const Word<Meaning> (&words)[count], const char* what,
                    const char* choices) {
  LineScanner before = scanner;
  const std::string text = scanner.word();
  for (const Word<Meaning>& word : words) {
    if (text == word.text) return word.meaning;
  }
  if (text.empty()) {
    scanner.fail(fmt::format("the header ends before its {}: write {}", what, choices));
  }
  before.find_line();
  scanner.fail(
      fmt::format("the {} '{}' is not supported: {} can be read", what, before.field(), choices));
}

Header parse_header(LineScanner& scanner) {
  if (scanner.bytes_left() == 0) scanner.fail("the file is empty");
  if (scanner.word() != "%%matrixmarket") {
    scanner.fail(
        "no Matrix Market header: the first line must open with '%%MatrixMarket matrix', then name "
        "layout, field and symmetry");
  }
  constexpr Word<int> objects[] = {{"matrix", 0}};
  header_word(scanner, objects, "object", "matrix");
  Header header;
  header.layout = header_word(scanner, layouts, "layout", "coordinate or array");
  header.field =
      header_word(scanner, fields, "field", "real, integer, unsigned-integer or pattern");
  header.symmetry =
      header_word(scanner, symmetries, "symmetry", "general, symmetric or skew-symmetric");
  if (header.field == Field::pattern && header.layout == Layout::array) {
    scanner.fail("an array of pattern has no values to read: name real or integer");
  }
  if (header.field == Field::pattern && header.symmetry == Symmetry::skew_symmetric) {
    scanner.fail("a pattern has no signs and cannot be skew-symmetric");
  }
  scanner.end_line();
  return header;
}

std::string nothing_text(std::int64_t rows, std::int64_t cols) {
  return fmt::format(
      "the matrix has {} rows and {} columns: there is nothing to multiply, and no kernel for it",
      rows, cols);
}

/// Entries that an array file stores.
std::int64_t array_count(std::int64_t size, std::int64_t cols, Symmetry symmetry) {
  if (symmetry == Symmetry::symmetric) return size * (size + 1) / 2;
  if (symmetry == Symmetry::skew_symmetric) return size * (size - 1) / 2;
  return size * cols;
}

/// Neighbouring lines of a long text, and the entries that were found in them.
struct TextPiece {
  std::string_view text;
  std::int64_t lines = 0, entries = 0;
  std::int64_t first_line = 0, first_entry = 0;
  std::vector<Entries::LineJump> jumps;  ///< the first that of its first entry
  std::int64_t end_line = 0;             ///< the one behind its last entry
  std::int64_t above = 0, below = 0;     ///< entries off the diagonal
  bool is_wrong = false;
};

/// A shorter piece is not worth a thread.
constexpr std::size_t piece_bytes_least = std::size_t{1} << 20;

/// Pieces of whole lines, some for each core.
std::vector<TextPiece> pieces_of(std::string_view text, std::size_t bytes_least) {
  const std::size_t bytes = std::max(bytes_least, text.size() / (4 * machine_threads()) + 1);
  std::vector<TextPiece> pieces;
  while (!text.empty()) {
    const std::size_t newline = text.size() > bytes ? text.find('\n', bytes - 1) : text.npos;
    const std::size_t end = newline == text.npos ? text.size() : newline + 1;
    pieces.push_back({text.substr(0, end), 0, 0, 0, 0, {}, 0, 0, 0, false});
    text.remove_prefix(end);
  }
  return pieces;
}

void count_lines(TextPiece& piece) {
  LineScanner scanner(piece.text, "");
  for (; scanner.find_line(); scanner.pass_line()) ++piece.entries;
  piece.lines = scanner.line() - 1;
}

/// Where each piece begins. False where there are not so many entries in all.
bool number_pieces(std::vector<TextPiece>& pieces, std::int64_t first_line, std::int64_t entries) {
  std::int64_t line = first_line, entry = 0;
  for (TextPiece& piece : pieces) {
    piece.first_line = line;
    piece.first_entry = entry;
    line += piece.lines;
    entry += piece.entries;
  }
  return entry == entries;
}

/// Reads entries: the size line, then one entry a line.
class FileEntryReader {
 public:
  FileEntryReader(LineScanner& scanner, const Header& header, const std::string& name,
                  const ReadLimits& limits)
      : scanner_(scanner), header_(header), limits_(limits) {
    entries_.name = name;
    entries_.symmetry = header.symmetry;
  }

  Entries read() {
    read_sizes();
    reserve();
    const bool array = header_.layout == Layout::array;
    switch (header_.field) {
      case Field::real:
        array ? read_array<Field::real>() : read_coordinates<Field::real>();
        break;
      case Field::integer:
      case Field::unsigned_integer:
        array ? read_array<Field::integer>() : read_coordinates<Field::integer>();
        break;
      case Field::pattern:
        read_coordinates<Field::pattern>();
        break;
    }
    if (scanner_.find_line()) {
      scanner_.fail(fmt::format("the file goes on behind the {} entries of its size line", count_));
    }
    return std::move(entries_);
  }

  /// The size line alone. Returns the number of entries.
  std::int64_t check_sizes() {
    read_sizes();
    check_memory_of(0);  // the number of entries is not known yet
    return count_;
  }

 private:
  void read_sizes() {
    if (!scanner_.find_line()) scanner_.fail("the file ends before its size line");
    const std::int64_t rows = scanner_.index("row count", 0, index_limit);
    const std::int64_t cols = scanner_.index("column count", 0, index_limit);
    if (rows == 0 || cols == 0) scanner_.fail(nothing_text(rows, cols));
    if (header_.symmetry != Symmetry::general && rows != cols) {
      scanner_.fail(fmt::format("a {} matrix must be square, this one is {} x {}",
                                symmetry_name(header_.symmetry), rows, cols));
    }
    std::int64_t least_expanded = 0;
    if (header_.layout == Layout::array) {
      count_ = array_count(rows, cols, header_.symmetry);
      // An array expands to all entries but a skew-symmetric diagonal.
      const bool skew = header_.symmetry == Symmetry::skew_symmetric;
      check_expanded(rows * cols - (skew ? rows : 0));
    } else {
      count_ = scanner_.index("entry count", 0, limits_.expanded_count);
      // In a triangle no more than the diagonal is without an image.
      if (header_.symmetry != Symmetry::general) least_expanded = 2 * count_ - rows;
    }
    entries_.rows = static_cast<std::int32_t>(rows);
    entries_.cols = static_cast<std::int32_t>(cols);
    size_line_ = scanner_;
    check_expanded(least_expanded);
    scanner_.end_line();
  }

  void check_expanded(std::int64_t expanded_count) const {
    if (expanded_count <= limits_.expanded_count) return;
    size_line_.fail(fmt::format("{} entries, mirror images included, are more than the limit {}",
                                expanded_count, limits_.expanded_count));
  }

  /// Checks the memory of so many entries, and of all rows and columns.
  void check_memory_of(std::int64_t count) const {
    const std::int64_t bytes =
        memory_of({entries_.rows, entries_.cols, count}, header_.symmetry != Symmetry::general);
    if (bytes <= limits_.memory_bytes) return;
    size_line_.fail(
        fmt::format("a matrix of this size takes {} of memory, {} are available; use "
                    "a machine with more, or raise its limit",
                    byte_count_text(bytes), byte_count_text(limits_.memory_bytes)));
  }

  /// Room for all entries that the text can hold: its size line may promise anything.
  void reserve() {
    const bool array = header_.layout == Layout::array;
    const bool pattern = header_.field == Field::pattern;
    const std::int64_t line_bytes_min = array ? 2 : pattern ? 4 : 6;  // "1\n", "1 1\n", "1 1 1\n"
    const std::int64_t count = std::min(count_, scanner_.bytes_left() / line_bytes_min + 1);
    check_memory_of(count);
    entries_.row.reserve(count);
    entries_.col.reserve(count);
    entries_.value.reserve(count);
  }

  void find_entry() {
    if (!scanner_.find_line()) {
      scanner_.fail(fmt::format("the file ends after {} of the {} entries of its size line",
                                entries_.count(), count_));
    }
    const std::int64_t line = scanner_.line();
    if (line != expected_line_) entries_.line_jumps.push_back({entries_.count(), line});
    expected_line_ = line + 1;
  }

  template <Field field>
  double value(LineScanner& scanner) const {
    if constexpr (field == Field::pattern) return 1;
    if constexpr (field == Field::real) return scanner.real();
    return header_.field == Field::integer ? scanner.integer() : scanner.unsigned_integer();
  }

  std::int32_t row_index(LineScanner& scanner) const {
    return static_cast<std::int32_t>(scanner.index("row index", 1, entries_.rows) - 1);
  }
  std::int32_t col_index(LineScanner& scanner) const {
    return static_cast<std::int32_t>(scanner.index("column index", 1, entries_.cols) - 1);
  }

  void add(std::int32_t row, std::int32_t col, double value) {
    scanner_.end_line();
    entries_.row.push_back(row);
    entries_.col.push_back(col);
    entries_.value.push_back(value);
  }

  template <Field field>
  void read_coordinates() {
    if (read_by_pieces<field>()) return;
    const bool mirrored = header_.symmetry != Symmetry::general;
    std::int64_t expanded_count = count_;
    for (std::int64_t entry = 0; entry < count_; ++entry) {
      limits_.check(entry, entries_.name);
      find_entry();
      const auto row = row_index(scanner_);
      const auto col = col_index(scanner_);
      const double value = this->value<field>(scanner_);
      if (mirrored) {
        check_triangle(row, col, value);
        expanded_count += row != col;
      }
      add(row, col, value);
    }
    check_expanded(expanded_count);
  }

  /// Reads all entries of a long text by all cores. False where anything is not as it should be:
  /// reading them one by one then tells the fault and its place.
  template <Field field>
  bool read_by_pieces() {
    std::vector<TextPiece> pieces = pieces_of(scanner_.rest(), piece_bytes_least);
    if (pieces.size() < 2) return false;
    parallel_for(pieces.size(), machine_threads(),
                 [&](std::size_t index, std::size_t) { count_lines(pieces[index]); });
    if (!number_pieces(pieces, scanner_.line(), count_)) return false;
    entries_.row.resize(count_);
    entries_.col.resize(count_);
    entries_.value.resize(count_);
    parallel_for(pieces.size(), machine_threads(),
                 [&](std::size_t index, std::size_t) { read_piece<field>(pieces[index]); });
    if (accept(pieces)) return true;
    entries_.row.clear();
    entries_.col.clear();
    entries_.value.clear();
    return false;
  }

  template <Field field>
  void read_piece(TextPiece& piece) {
    LineScanner scanner(piece.text, entries_.name);
    std::int64_t expected_line = 0;
    try {
      for (std::int64_t entry = piece.first_entry; scanner.find_line(); ++entry) {
        limits_.check(entry, entries_.name);
        const std::int64_t line = scanner.line();
        if (line != expected_line) piece.jumps.push_back({entry, piece.first_line + line - 1});
        expected_line = line + 1;
        const std::int32_t row = row_index(scanner), col = col_index(scanner);
        const double value = this->value<field>(scanner);
        scanner.end_line();
        entries_.row[entry] = row;
        entries_.col[entry] = col;
        entries_.value[entry] = value;
        piece.above += row < col;
        piece.below += row > col;
        piece.is_wrong = piece.is_wrong ||
                         (row == col && value != 0 && header_.symmetry == Symmetry::skew_symmetric);
      }
    } catch (const Error&) {
      piece.is_wrong = true;
    }
    piece.end_line = piece.first_line + expected_line - 1;
  }

  /// Whether all was as it should be; then the scanner stands behind the entries.
  bool accept(const std::vector<TextPiece>& pieces) {
    std::int64_t above = 0, below = 0;
    for (const TextPiece& piece : pieces) {
      if (piece.is_wrong) return false;
      above += piece.above;
      below += piece.below;
    }
    if (header_.symmetry != Symmetry::general) {
      if (above > 0 && below > 0) return false;
      check_expanded(count_ + above + below);
    }
    for (const TextPiece& piece : pieces) {
      for (const Entries::LineJump& jump : piece.jumps) {
        if (jump.line == expected_line_ && &jump == &piece.jumps.front()) continue;
        entries_.line_jumps.push_back(jump);
      }
      if (!piece.jumps.empty()) expected_line_ = piece.end_line;
    }
    scanner_.leave();
    return true;
  }

  /// One triangle only, and no diagonal that its negated image contradicts.
  void check_triangle(std::int32_t row, std::int32_t col, double value) {
    if (row == col) {
      if (header_.symmetry == Symmetry::skew_symmetric && value != 0) {
        scanner_.fail(fmt::format("diagonal entry {}, {} of a skew-symmetric matrix is not zero",
                                  row + 1, col + 1));
      }
      return;
    }
    const bool above = row < col;
    (above ? line_above_ : line_below_) = scanner_.line();
    if (line_above_ == 0 || line_below_ == 0) return;
    scanner_.fail(fmt::format(
        "entry {}, {} is {} the diagonal, but line {} has one {} it: a {} file stores one triangle",
        row + 1, col + 1, above ? "above" : "below", above ? line_below_ : line_above_,
        above ? "below" : "above", symmetry_name(header_.symmetry)));
  }

  template <Field field>
  void read_array() {
    const bool skew = header_.symmetry == Symmetry::skew_symmetric;
    const bool has_diagonal = skew && count_lines_left() == count_ + entries_.cols;
    for (std::int32_t col = 0; col < entries_.cols; ++col) {
      if (has_diagonal) pass_zero<field>(col);
      const std::int32_t first_row = header_.symmetry == Symmetry::general ? 0 : col + skew;
      for (std::int32_t row = first_row; row < entries_.rows; ++row) {
        limits_.check(entries_.count(), entries_.name);
        find_entry();
        add(row, col, value<field>(scanner_));
      }
    }
  }

  /// Some programs store the zeros of a skew-symmetric array's diagonal.
  std::int64_t count_lines_left() const {
    std::int64_t lines = 0;
    for (LineScanner ahead = scanner_; ahead.find_line(); ahead.pass_line())
      limits_.check(++lines, entries_.name);
    return lines;
  }

  template <Field field>
  void pass_zero(std::int32_t col) {
    find_entry();
    if (value<field>(scanner_) != 0) {
      scanner_.fail(fmt::format("diagonal entry {}, {} of a skew-symmetric matrix is not zero",
                                col + 1, col + 1));
    }
    scanner_.end_line();
    expected_line_ = 0;  // the next entry does not follow the last one
  }

  LineScanner& scanner_;
  LineScanner size_line_ = scanner_;  // where its errors are reported
  const Header header_;
  const ReadLimits limits_;
  Entries entries_;
  std::int64_t count_ = 0;  // entries that the file stores
  std::int64_t expected_line_ = 0;
  std::int64_t line_above_ = 0;  // the last entry above, below the diagonal; 0: none yet
  std::int64_t line_below_ = 0;
};

}  // namespace

Entries parse_matrix_market(std::string_view text, const std::string& name,
                            const ReadLimits& limits) {
  LineScanner scanner(without_mark(text), name);
  const Header header = parse_header(scanner);
  return FileEntryReader(scanner, header, name, limits).read();
}

std::int64_t memory_of(const ClaimedSize& size, bool mirrored) {
  // Offsets, elements of y while a kernel is verified, and the bytes that formats keep of a row. Of
  // columns nothing is kept; code that makes an x checks the memory then.
  constexpr std::int64_t row_bytes = 60;
  constexpr std::int64_t position_bytes = sizeof(std::int32_t) + sizeof(double);
  const std::int64_t entry_bytes = 4 + position_bytes + (mirrored ? 2 : 1) * position_bytes;
  return row_bytes * size.rows + entry_bytes * size.entries;
}

void check_sizes(std::int64_t rows, std::int64_t cols, const std::string& name) {
  if (rows == 0 || cols == 0) throw Error(fmt::format("{}: {}", name, nothing_text(rows, cols)));
  for (const std::int64_t size : {rows, cols}) {
    if (size < 0 || size > index_limit)
      throw Error(fmt::format("{}: {} rows or columns are outside 1..{}", name, size, index_limit));
  }
}

void check_memory(const ClaimedSize& size, const std::string& name, const ReadLimits& limits,
                  bool mirrored) {
  if (size.entries > limits.expanded_count) {
    throw Error(fmt::format("{}: {} entries are more than the limit {}", name, size.entries,
                            limits.expanded_count));
  }
  const std::int64_t bytes = memory_of(size, mirrored);
  if (bytes > limits.memory_bytes) {
    throw Error(
        fmt::format("{}: a matrix of {} x {} with {} entries takes {} of memory, {} are "
                    "available; use a machine with more, or raise its limit",
                    name, size.rows, size.cols, size.entries, byte_count_text(bytes),
                    byte_count_text(limits.memory_bytes)));
  }
}

std::optional<std::int64_t> entries_said(std::string_view beginning, const std::string& name,
                                         const ReadLimits& limits) {
  beginning = beginning.substr(0, beginning.rfind('\n') + 1);  // whole lines
  LineScanner scanner(beginning, name);
  if (!scanner.find_line()) return std::nullopt;
  LineScanner from_the_top(without_mark(beginning), name);
  const Header header = parse_header(from_the_top);
  LineScanner sizes = from_the_top;
  if (!sizes.find_line()) return std::nullopt;
  return FileEntryReader(from_the_top, header, name, limits).check_sizes();
}

void check_size_line(std::string_view beginning, const std::string& name,
                     const ReadLimits& limits) {
  static_cast<void>(entries_said(beginning, name, limits));
}

Matrix parse_canonical(std::string bytes, const std::string& name, const ReadLimits& limits) {
  if (is_gzip(bytes)) bytes = gunzip(bytes, name, available_memory_bytes(), limits.deadline);
  Entries entries = parse_matrix_market(bytes, name, limits);
  std::string().swap(bytes);  // the matrix needs its room
  return canonical(std::move(entries));
}

Matrix read_matrix_market(const std::string& path) {
  try {
    return parse_canonical(read_bytes(path), path);
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("{}: memory ran out while reading", path));
  }
}

}  // namespace alphasparse
