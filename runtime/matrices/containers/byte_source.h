// byte_source: the bytes of a long text in their order, from a plain file or a gzip one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "runtime/matrices/read_limits.h"
#include "runtime/system/files/regular_file.h"

namespace alphasparse {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Reads up to `bytes`: fewer only at the end. Throws Error (exit 2), naming the file.
  virtual std::size_t read(char* to, std::size_t bytes) = 0;

  /// Bytes that have not been read yet, at most.
  virtual std::int64_t bytes_left_most() const = 0;
};

/// Bytes of a gzip file that are read at once.
inline constexpr std::size_t packed_chunk_bytes = std::size_t{1} << 18;

/// The bytes of a file, and whether they are unpacked.
struct LongBytes {
  bool is_gzip = false;
  std::unique_ptr<ByteSource> source;
};

/// Unpacks a file where it is gzip. It was not read from yet. `limits` and the file must outlive
/// the source.
LongBytes load_bytes(const RegularFile& file, const std::string& name, const ReadLimits& limits);

}  // namespace alphasparse
