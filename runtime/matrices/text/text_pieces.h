// text_pieces: a long text in pieces of whole lines, which cores read side by side.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/system/files/regular_file.h"

namespace alphasparse {

class TextPieces {
 public:
  /// Of a piece, which goes on to the end of a line. A shorter text is not worth a thread.
  static constexpr std::size_t piece_bytes = std::size_t{1} << 20;

  virtual ~TextPieces() = default;

  /// Bytes that next() has not handed out yet.
  virtual std::int64_t bytes_left() const = 0;

  /// The next pieces, some `count` of them, in their order. They last until the next call. Empty at
  /// the end of the text. Throws Error where a file cannot be read, or has a line of `count`
  /// pieces.
  virtual std::vector<std::string_view> next(std::size_t count) = 0;
};

/// Those of a text in memory, which must outlive this.
class PiecesOfText : public TextPieces {
 public:
  explicit PiecesOfText(std::string_view text) : text_(text) {}

  std::int64_t bytes_left() const override { return static_cast<std::int64_t>(text_.size()); }
  std::vector<std::string_view> next(std::size_t count) override;

 private:
  std::string_view text_;
};

/// Those of a file, which must outlive this. Only the pieces of one call are in memory.
class PiecesOfFile : public TextPieces {
 public:
  /// `begun` was read from the file last, and is the first text of the pieces.
  PiecesOfFile(const RegularFile& file, std::string_view begun, std::int64_t bytes_behind)
      : file_(file),
        buffer_(begun.begin(), begun.end()),
        filled_(begun.size()),
        behind_(bytes_behind) {}

  std::int64_t bytes_left() const override {
    return static_cast<std::int64_t>(filled_ - used_) + behind_;
  }
  std::vector<std::string_view> next(std::size_t count) override;

 private:
  void fill(std::size_t bytes);

  const RegularFile& file_;
  std::vector<char> buffer_;
  std::size_t filled_, used_ = 0;  ///< bytes of the buffer
  std::int64_t behind_;            ///< bytes of the file that have not been read yet
  bool ended_ = false;
};

}  // namespace alphasparse
