#include "tools/console/shards.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include "runtime/matrices/matrix_names.h"
#include "runtime/system/files/content_key.h"
#include "runtime/system/files/regular_file.h"

namespace alphasparse {

namespace {

constexpr std::size_t bytes_read = 1 << 20;

}  // namespace

std::string content_digest(const std::string& file) {
  const std::string path = locate_matrix(file).file;
  if (const Result<RegularFile> file = RegularFile::open(path)) {
    const Result<std::string> beginning = file->read(bytes_read);
    if (beginning && !beginning->empty())
      return content_key({std::to_string(file->size()), *beginning});
  }
  return content_key({std::filesystem::path(file).filename().string()});
}

bool is_in_shard(const std::string& file, const Shard& shard) {
  constexpr int hexadecimal = 16;
  const std::string digits = content_digest(file).substr(0, sizeof(std::uint64_t) * 2);
  const std::uint64_t number = std::strtoull(digits.c_str(), nullptr, hexadecimal);
  return number % static_cast<std::uint64_t>(shard.count) ==
         static_cast<std::uint64_t>(shard.number - 1);
}

}  // namespace alphasparse
