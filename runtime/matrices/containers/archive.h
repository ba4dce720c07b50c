// archive: the files in a compressed file or an archive - gzip, bzip2, xz and zstd, zip and tar,
// and tar in any of these - by libarchive.
//
// The contents may be far larger than the file, so they come in pieces, and the caller says
// when it is enough.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/system/deadline.h"

struct archive;
struct archive_entry;

namespace alphasparse {

/// Looks at the text unpacked so far, and throws where it is enough.
using UnpackWatch = std::function<void(std::string_view so_far)>;

enum class Unpack {
  files,  ///< those of an archive, one after the other
  stream  ///< the content of a compressed file, an archive as its bytes
};

class ArchiveReader {
 public:
  /// `bytes` must outlive it; `name` is the file's, for messages. Throws Error (exit 2).
  ArchiveReader(std::string_view bytes, std::string name, Unpack unpack, Deadline deadline = {});
  ~ArchiveReader();
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;

  /// Goes to the next file; folders, links and entries without a name are passed over. False at the
  /// end. Throws Error (exit 2) where the archive is damaged, and require_time.
  bool next();

  /// The path of this file in the archive, empty for a stream; may hold anything.
  const std::string& member() const { return member_; }

  /// Appends the next part of this file to `bytes`, until that has `most` bytes or the file ends.
  /// False at its end. Throws likewise.
  bool read(std::string& bytes, std::size_t most);

  /// All of it. Throws likewise, and where it takes more than `memory_bytes`.
  std::string read_all(std::int64_t memory_bytes, const UnpackWatch& watch = {});

  /// "file" or "file:member".
  std::string location() const;

 private:
  struct Close {
    void operator()(archive* opened) const;
  };

  [[noreturn]] void fail() const;

  std::string name_;
  Unpack unpack_;
  Deadline deadline_;
  std::unique_ptr<archive, Close> archive_;
  archive_entry* entry_ = nullptr;
  std::string member_;
  std::string_view block_;     ///< unpacked and not handed out yet
  std::int64_t unpacked_ = 0;  ///< bytes of this file
  std::int64_t files_ = 0;
};

}  // namespace alphasparse
