#include "tools/console/shards.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ios>
#include <system_error>

#include "runtime/system/content_key.h"

namespace alphasparse {

namespace {

constexpr std::streamsize bytes_read = 1 << 20;

std::string key_of(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  std::string beginning(bytes_read, '\0');
  if (!error) file.read(beginning.data(), bytes_read);
  if (error || file.bad() || file.gcount() == 0)
    return content_key({std::filesystem::path(path).filename().string()});
  beginning.resize(static_cast<std::size_t>(file.gcount()));
  return content_key({std::to_string(size), beginning});
}

}  // namespace

bool is_in_shard(const std::string& file, const Shard& shard) {
  constexpr int hexadecimal = 16;
  const std::string digits = key_of(file).substr(0, sizeof(std::uint64_t) * 2);
  const std::uint64_t number = std::strtoull(digits.c_str(), nullptr, hexadecimal);
  return number % static_cast<std::uint64_t>(shard.count) ==
         static_cast<std::uint64_t>(shard.number - 1);
}

}  // namespace alphasparse
