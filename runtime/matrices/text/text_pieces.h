// text_pieces: a long text in pieces of whole lines, which cores read side by side.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/matrices/containers/byte_source.h"

namespace alphasparse {

class TextPieces {
 public:
  /// Of a piece, which goes on to the end of a line. A shorter text is not worth a thread.
  static constexpr std::size_t piece_bytes = std::size_t{1} << 20;

  virtual ~TextPieces() = default;

  /// Bytes that next() has not handed out yet, at most.
  virtual std::int64_t bytes_left_most() const = 0;

  /// The next pieces, at most `count` of them, in their order. They last until the next call. Empty
  /// at the end of the text. Throws Error (exit 2), naming the file.
  virtual std::vector<std::string_view> next(std::size_t count) = 0;
};

/// Those of a text in memory, which must outlive this.
class PiecesOfText : public TextPieces {
 public:
  explicit PiecesOfText(std::string_view text) : text_(text) {}

  std::int64_t bytes_left_most() const override { return static_cast<std::int64_t>(text_.size()); }
  std::vector<std::string_view> next(std::size_t count) override;

 private:
  std::string_view text_;
};

/// Those of a file. Only the pieces of one call are in memory.
class PiecesOfFile : public TextPieces {
 public:
  /// A line of so many bytes before its end is too long: next() rejects the file.
  static constexpr std::size_t line_bytes_most = 64 * piece_bytes;

  /// `begun` was read from the source last, and is the first text of the pieces. The text behind it
  /// may have `behind_most` bytes. The source must outlive this.
  PiecesOfFile(ByteSource& source, std::string_view begun, std::int64_t behind_most,
               std::string name, std::size_t line_bytes_most = PiecesOfFile::line_bytes_most)
      : source_(source),
        name_(std::move(name)),
        buffer_(begun.begin(), begun.end()),
        filled_(begun.size()),
        behind_most_(behind_most),
        line_bytes_most_(line_bytes_most) {}

  std::int64_t bytes_left_most() const override {
    return static_cast<std::int64_t>(filled_ - used_) + source_.bytes_left_most();
  }
  std::vector<std::string_view> next(std::size_t count) override;

 private:
  void drop_used();
  void fill(std::size_t bytes);

  ByteSource& source_;
  const std::string name_;
  std::vector<char> buffer_;
  std::size_t filled_, used_ = 0;  ///< bytes of the buffer
  const std::int64_t behind_most_;
  const std::size_t line_bytes_most_;
  std::int64_t behind_ = 0;  ///< bytes that were read behind `begun`
  bool ended_ = false;
};

}  // namespace alphasparse
