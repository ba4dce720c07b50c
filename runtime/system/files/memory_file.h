// memory_file: a file that lies in memory and that a child can inherit: arrays go to the emulator
// without a copy on disk.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace alphasparse {

/// A new file without a name, open to read and write: in memory, or in a TemporaryFolder where the
/// system refuses memfd_create. Throws Error (exit 4) where there is neither.
int open_memory_file();

class MemoryFile {
 public:
  /// Empty. Throws as open_memory_file.
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }

  /// Appends at the next multiple of `alignment` and returns that offset; the file's end is padded
  /// with zeros to a multiple of it too. Throws Error (exit 4) where memory is short.
  std::int64_t append(std::span<const std::byte> bytes, std::int64_t alignment);

  /// Its end, where the next bytes go.
  std::int64_t size() const { return size_; }

  /// Appends bytes right at the end, or pads it with zeros to a multiple. Both throw likewise.
  void put(std::span<const std::byte> bytes);
  void align(std::int64_t alignment);

  /// Reads into all of `bytes`.
  void read(std::int64_t offset, std::span<std::byte> bytes) const;

 private:
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace alphasparse
