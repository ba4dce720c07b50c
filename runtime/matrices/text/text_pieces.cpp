#include "runtime/matrices/text/text_pieces.h"

#include <algorithm>
#include <cstring>

#include "base/result.h"

namespace alphasparse {

namespace {

/// Takes a piece off the front of a text.
std::string_view take_piece(std::string_view& text) {
  constexpr std::size_t bytes = TextPieces::piece_bytes;
  const std::size_t newline =
      text.size() > bytes ? text.find('\n', bytes - 1) : std::string_view::npos;
  const std::string_view piece = text.substr(0, newline == text.npos ? newline : newline + 1);
  text.remove_prefix(piece.size());
  return piece;
}

}  // namespace

std::vector<std::string_view> PiecesOfText::next(std::size_t count) {
  std::vector<std::string_view> pieces;
  while (!text_.empty() && pieces.size() < count) pieces.push_back(take_piece(text_));
  return pieces;
}

std::vector<std::string_view> PiecesOfFile::next(std::size_t count) {
  fill(count * piece_bytes);
  std::string_view text(buffer_.data(), filled_);
  if (!ended_) {
    const std::size_t newline = text.rfind('\n');
    if (newline == text.npos) throw Error("a line is longer than the pieces of its file");
    text = text.substr(0, newline + 1);
  }
  used_ = text.size();
  std::vector<std::string_view> pieces;
  while (!text.empty()) pieces.push_back(take_piece(text));
  return pieces;
}

/// Drops the bytes that were handed out, and reads behind the rest until so many are there.
void PiecesOfFile::fill(std::size_t bytes) {
  filled_ -= used_;
  if (used_ > 0) std::memmove(buffer_.data(), buffer_.data() + used_, filled_);
  used_ = 0;
  buffer_.resize(std::max(bytes, buffer_.size()));
  while (!ended_ && filled_ < bytes) {
    const Result<std::size_t> count = file_.read(buffer_.data() + filled_, bytes - filled_);
    if (!count) throw Error(count.reason());
    filled_ += *count;
    behind_ = std::max<std::int64_t>(0, behind_ - static_cast<std::int64_t>(*count));
    ended_ = *count == 0;
  }
}

}  // namespace alphasparse
