// atomic_file: a file that appears whole under its name, or not at all.
//
// The file that is there already decides how it is written:
//
//   nothing, a file   written beside it under another name, which is then given the file's
//   a symbolic link   so is the file that it names; the link stays
//   no regular file   (a FIFO that is read, a device) opened and written in place; bytes that
//                     are written stay written
//   a database        (any SQLite file) rejected and left as it is: it is somebody's measurements
//
// A file keeps its mode. Where it was another user's, or nothing that we had written, a warning
// says that it was replaced; of an output that nobody named, it is rejected (reject_foreign).
#pragma once
#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace alphasparse {

/// Whether an errno says that an output has a wrong name: no such folder, a file in the place of a
/// folder, a folder in the place of a file, a pipe without a reader. Other reasons lie in the
/// machine: no permission, a full or read-only disk, no more open files.
bool is_wrong_name(int reason);

/// The Error of an output that cannot be written: exit 2 where its name is wrong, else 4.
Error output_error(int reason, const std::string& text);

/// Writes beside the target, under a name of its own; `publish` renames. Without `publish` the
/// destructor removes the draft. Every failure throws output_error(): the path, the system's
/// reason, the remedy.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t bytes);

  /// Flushes to the disk and renames over the target.
  void publish();

 private:
  std::filesystem::path target_;     ///< as it was named
  std::filesystem::path file_;       ///< behind its links
  std::filesystem::path temporary_;  ///< empty: written in place
  std::optional<mode_t> mode_;       ///< of the file that is replaced
  std::string surprise_;             ///< why that may not be meant; empty: it is
  int descriptor_ = -1;
};

/// `text` as the whole of the file `target`.
void write_file(const std::filesystem::path& target, std::string_view text);

/// Throws the Error of a target that cannot be written, before work is spent on its contents.
/// Nothing is left behind.
void require_writable(const std::filesystem::path& target);

/// Throws the Error (exit 2) of a target that is a database or a folder, before work is spent on
/// its contents. Writes nothing.
void check_target(const std::filesystem::path& target);

/// The same, and of one that is neither a text in C or C++ of ours of that name, nor a format file.
void reject_foreign(const std::filesystem::path& target);

}  // namespace alphasparse
