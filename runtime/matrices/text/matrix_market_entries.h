// matrix_market_entries: the entries of a Matrix Market file, behind its header.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "runtime/matrices/assemble.h"
#include "runtime/matrices/read_limits.h"
#include "runtime/matrices/text/line_scanner.h"
#include "runtime/matrices/text/matrix_market_header.h"
#include "runtime/matrices/text/text_pieces.h"

namespace alphasparse {

/// Reads entries: the size line, then one entry a line.
class MarketEntryReader {
 public:
  /// `scanner` stands behind the header. Its text and the name must outlive the reader.
  MarketEntryReader(LineScanner& scanner, const MarketHeader& header, const std::string& name,
                    const ReadLimits& limits);

  /// Those of the scanner's text. Throws Error (exit 2), `name:line: reason`.
  Entries read();

  /// The size line of a long text, of which the scanner has the beginning. False where the text is
  /// an array, or the line may go on behind the beginning. Throws likewise.
  bool read_sizes_of_long();

  /// The entries behind that line, by all cores. Nothing where anything is not as it should be.
  std::optional<Entries> read_by_cores(TextPieces& text);

  /// The same line by line, which tells a fault and its place. Throws likewise.
  Entries read_by_lines(TextPieces& text);

  /// The size line alone. Returns the number of entries.
  std::int64_t check_sizes();

 private:
  void read_sizes();
  void check_expanded(std::int64_t expanded_count) const;
  void check_count(std::int64_t count) const;
  void reserve(std::int64_t bytes_left);
  bool find_line();
  void find_entry();
  void add(std::int32_t row, std::int32_t col, double value, double imag);
  void read_coordinates();
  void read_all_lines();
  Entries end();
  template <MarketField field>
  void read_lines();
  bool read_pieces(TextPieces& text);
  void forget_entries();
  void check_triangle(std::int32_t row, std::int32_t col);
  void check_diagonal(std::int32_t row, double value, double imag);
  template <MarketField field>
  void read_array();
  std::int64_t count_lines_left() const;
  template <MarketField field>
  void pass_zero(std::int32_t col);

  LineScanner& scanner_;
  TextPieces* behind_ = nullptr;      // the text behind the scanner's; null: none
  LineScanner size_line_ = scanner_;  // where its errors are reported
  const MarketHeader header_;
  const ReadLimits limits_;
  Entries entries_;
  std::int64_t count_ = 0;          // entries that the file stores
  std::int64_t expected_line_ = 0;  // of the next entry, if nothing stands between
  std::int64_t line_above_ = 0;     // the last entry above, below the diagonal; 0: none yet
  std::int64_t line_below_ = 0;
};

}  // namespace alphasparse
