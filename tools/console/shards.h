// shards: which machine has which part of many matrices, so that several machines share them
// without asking each other.
//
// A file's part follows from its content as it lies on disk, packed or not: its size and its first
// MiB. Even of a large file these are read at once. Its place and other files do not count. Files
// that begin alike are in one part, which does no harm.
#pragma once
#include <cstdint>
#include <string>

namespace alphasparse {

/// Part `number` of `count`, counted from 1.
struct Shard {
  std::int64_t number = 1;
  std::int64_t count = 1;
};

/// A hash of the file's size and first MiB; of its name where it cannot be read.
std::string content_digest(const std::string& file);

/// Whether the file is of that part. One that cannot be read is so by its name: one part tells.
bool is_in_shard(const std::string& file, const Shard& shard);

}  // namespace alphasparse
