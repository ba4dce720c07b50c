#include "runtime/matrices/text/matrix_market_pieces.h"

#include <algorithm>

#include "base/parallel.h"
#include "base/result.h"
#include "runtime/matrices/text/line_scanner.h"
#include "runtime/matrices/text/matrix_market_line.h"
#include "runtime/system/machine/cores.h"

namespace alphasparse {

namespace {

template <class T>
void append_all(std::vector<T>& all, const std::vector<T>& part) {
  all.insert(all.end(), part.begin(), part.end());
}

}  // namespace

bool MarketPieceReader::read(TextPieces& text) {
  constexpr std::size_t pieces_a_core = 2, pieces_most = 32;
  const std::size_t pieces_at_once = std::min(pieces_most, pieces_a_core * machine_threads());
  std::vector<Piece> pieces;
  for (;;) {
    const std::vector<std::string_view> texts = text.next(pieces_at_once);
    if (texts.empty()) return is_whole();
    pieces.resize(std::max(pieces.size(), texts.size()));
    parallel_for(texts.size(), machine_threads(), [&](std::size_t index, std::size_t) {
      pieces[index].text = texts[index];
      with_field(header_.field, [&](auto field) { read_piece<field()>(pieces[index]); });
    });
    for (std::size_t index = 0; index < texts.size(); ++index)
      if (!append(pieces[index])) return false;
  }
}

template <MarketField field>
void MarketPieceReader::read_piece(Piece& piece) const {
  piece.row.clear();
  piece.col.clear();
  piece.value.clear();
  piece.imag.clear();
  piece.jumps.clear();
  piece.above = piece.below = 0;
  piece.is_wrong = false;
  LineScanner scanner(piece.text, entries_.name);
  std::int64_t expected_line = 0;
  try {
    for (std::int64_t entry = 0; scanner.find_line(); ++entry) {
      limits_.check(entry, entries_.name);
      const std::int64_t line = scanner.line();
      if (line != expected_line) piece.jumps.push_back({entry, line - 1});
      expected_line = line + 1;
      const auto [row, col] = read_position(scanner, entries_.rows, entries_.cols);
      const double value = read_value<field>(scanner, header_.field);
      const double imag = read_imag<field>(scanner);
      scanner.end_line();
      piece.row.push_back(row);
      piece.col.push_back(col);
      piece.value.push_back(value);
      if constexpr (field == MarketField::complex) piece.imag.push_back(imag);
      piece.above += row < col;
      piece.below += row > col;
      piece.is_wrong = piece.is_wrong || (row == col && !is_own_image(header_.mirror, value, imag));
    }
  } catch (const Error&) {
    piece.is_wrong = true;
  }
  piece.lines = scanner.line() - 1;
  piece.end_line = expected_line - 1;
}

/// False where the piece is wrong, or has more entries than are left.
bool MarketPieceReader::append(const Piece& piece) {
  if (piece.is_wrong || entries_.count() + piece.count() > count_) return false;
  for (const Entries::LineJump& jump : piece.jumps) {
    const std::int64_t line = piece_line_ + jump.line;
    if (line == expected_line_ && &jump == &piece.jumps.front()) continue;
    entries_.line_jumps.push_back({entries_.count() + jump.entry, line});
  }
  if (!piece.jumps.empty()) expected_line_ = piece_line_ + piece.end_line;
  piece_line_ += piece.lines;
  above_ += piece.above;
  below_ += piece.below;
  append_all(entries_.row, piece.row);
  append_all(entries_.col, piece.col);
  append_all(entries_.value, piece.value);
  append_all(entries_.imag, piece.imag);
  return true;
}

/// Whether the entries of all pieces are as they should be together.
bool MarketPieceReader::is_whole() const {
  const bool one_triangle = above_ == 0 || below_ == 0;
  return entries_.count() == count_ && (header_.mirror == Mirror::none || one_triangle);
}

}  // namespace alphasparse
