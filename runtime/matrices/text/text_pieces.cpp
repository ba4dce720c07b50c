#include "runtime/matrices/text/text_pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/result.h"
#include "runtime/matrices/containers/unpack_limits.h"

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
  drop_used();
  std::size_t newline = std::string_view::npos;
  for (std::size_t bytes = std::min(count * piece_bytes, line_bytes_most_);;
       bytes = std::min(2 * bytes, line_bytes_most_)) {
    fill(bytes);
    newline = std::string_view(buffer_.data(), filled_).rfind('\n');
    if (ended_ || newline != std::string_view::npos) break;
    if (bytes >= line_bytes_most_)
      throw Error(fmt::format("{}: has a line of {} bytes or more; fetch or write the file again",
                              name_, line_bytes_most_));
  }
  std::string_view text(buffer_.data(), ended_ ? filled_ : newline + 1);
  std::vector<std::string_view> pieces;
  while (!text.empty() && pieces.size() < count) {
    pieces.push_back(take_piece(text));
    used_ += pieces.back().size();
  }
  return pieces;
}

/// Drops the bytes that were handed out.
void PiecesOfFile::drop_used() {
  filled_ -= used_;
  if (used_ > 0) std::memmove(buffer_.data(), buffer_.data() + used_, filled_);
  used_ = 0;
}

/// Reads behind the rest until so many bytes are there.
void PiecesOfFile::fill(std::size_t bytes) {
  buffer_.resize(std::max(bytes, buffer_.size()));
  while (!ended_ && filled_ < bytes) {
    const std::size_t count = source_.read(buffer_.data() + filled_, bytes - filled_);
    filled_ += count;
    behind_ += static_cast<std::int64_t>(count);
    ended_ = count == 0;
    if (behind_ > behind_most_) fail_too_long(name_, behind_most_ + 1);
  }
}

}  // namespace alphasparse
