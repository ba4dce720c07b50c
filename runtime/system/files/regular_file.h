// regular_file: files that are read - regular ones alone, and where code is in them, our own alone.
//
// A pipe may keep its reader waiting for ever, a device may never end, and opening a device may do
// something. So neither is opened. A file that is trusted (KernelCache) is also one that nobody
// else can have written: ours, no link, and not writable by others.
#pragma once
#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <utility>

#include "base/result.h"

namespace alphasparse {

/// An open file, closed when it goes.
class RegularFile {
 public:
  /// Opens a regular file, or the one that a link names, to read. The reason why not goes on behind
  /// the file's name: "cannot be read: No such file or directory", "is a pipe, not a file".
  static Result<RegularFile> open(const std::string& path);

  /// The same of a file that only this user can have written: not of a link, nor of a file of
  /// another user or that the group or others can write.
  static Result<RegularFile> open_own(const std::string& path);

  /// Opens a pipe that a person has named. Reading it does not wait.
  static Result<RegularFile> open_pipe(const std::string& path);

  /// The pipe or the socket that standard input is. It may belong to another user.
  static Result<RegularFile> piped_input();

  RegularFile(RegularFile&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), facts_(other.facts_) {}
  RegularFile& operator=(RegularFile&&) = delete;
  ~RegularFile();

  int descriptor() const { return descriptor_; }
  std::int64_t size() const { return facts_.st_size; }  ///< when it was opened

  /// Reads up to `bytes` from where it was read to: fewer only at the end. The reason why not is as
  /// those of open.
  Result<std::string> read(std::size_t bytes) const;
  Result<std::size_t> read(char* to, std::size_t bytes) const;

 private:
  RegularFile(int descriptor, const struct stat& facts) : descriptor_(descriptor), facts_(facts) {}
  static Result<RegularFile> open_with(const std::string& path, int flags, mode_t kind = S_IFREG);

  int descriptor_;
  struct stat facts_;
};

}  // namespace alphasparse
