// matrix_market_pieces: the entries of a long Matrix Market text, read by all cores.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/matrices/assemble.h"
#include "runtime/matrices/read_limits.h"
#include "runtime/matrices/text/matrix_market_header.h"
#include "runtime/matrices/text/text_pieces.h"

namespace alphasparse {

class MarketPieceReader {
 public:
  /// `entries` has a name, rows and columns, and gets the `count` entries of a text whose first
  /// line is `line`. It must outlive the reader.
  MarketPieceReader(const MarketHeader& header, const ReadLimits& limits, std::int64_t count,
                    std::int64_t line, Entries& entries)
      : header_(header), limits_(limits), count_(count), piece_line_(line), entries_(entries) {}

  /// Reads all of them. False where anything is not as it should be: reading them one by one then
  /// tells the fault and its place.
  bool read(TextPieces& text);

  std::int64_t off_diagonal() const { return above_ + below_; }  ///< entries

 private:
  /// Entries of a piece, in its order.
  struct Piece {
    std::string_view text;
    std::vector<std::int32_t> row, col;
    std::vector<double> value, imag;
    /// Counted from the piece's beginning, the first at its entry 0.
    std::vector<Entries::LineJump> jumps;
    std::int64_t lines = 0;
    std::int64_t end_line = 0;          ///< the one behind its last entry
    std::int64_t above = 0, below = 0;  ///< entries off the diagonal
    bool is_wrong = false;

    std::int64_t count() const { return static_cast<std::int64_t>(row.size()); }
  };

  template <MarketField field>
  void read_piece(Piece& piece) const;
  bool append(const Piece& piece);
  bool is_whole() const;

  const MarketHeader header_;
  const ReadLimits& limits_;
  const std::int64_t count_;
  std::int64_t piece_line_;         // with which the next piece begins
  std::int64_t expected_line_ = 0;  // of the next entry, if nothing stands between
  std::int64_t above_ = 0, below_ = 0;
  Entries& entries_;
};

}  // namespace alphasparse
