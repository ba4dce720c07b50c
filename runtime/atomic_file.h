// atomic_file: a file that appears whole under its name, or not at all.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string_view>

namespace alphasparse {

/// Writes beside the target, under a name of its own; `publish` renames. Without `publish` the
/// destructor removes what was written. Everything that fails throws Error (exit 2): the path, the
/// system's reason, what to do.
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
  [[noreturn]] void fail(int reason) const;

  std::filesystem::path target_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
};

/// `text` as the whole of the file `target`.
void write_file(const std::filesystem::path& target, std::string_view text);

}  // namespace alphasparse
