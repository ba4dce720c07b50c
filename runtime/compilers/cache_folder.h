// cache_folder: all that lies in the cache, from every program, and the one limit of all.
//
//   KEY.kernel                  a compiled kernel, or the functions of alphasparse_runtime.h
//                               (kernel_cache.h)
//   emulator-counts-DIGITS      a verdict on the emulator (runtime/emulated/count_check.h)
//   python/DIGITS/              the files of a kernel that the Python package tuned
//   python/.removed-DIGITS-PID  a folder that is being removed
//
// Nothing else in the folder is ever removed: it may hold files of its owner. A folder also needs
// one of our files in it. A folder of Python's that a process publishes into, loads from or
// searches for is held by a lock, and stays.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace alphasparse {

enum class CacheKind { kernels, verdicts, python, leftovers };

/// "compiled kernels".
std::string_view cache_kind_name(CacheKind kind);

/// A file of the cache, or a folder with its contents.
struct CacheEntry {
  std::filesystem::file_time_type used;
  std::int64_t bytes = 0;
  std::filesystem::path path;
  CacheKind kind = CacheKind::kernels;
};

constexpr std::int64_t cache_bytes_max_default = 500'000'000;

/// The limit of ALPHASPARSE_CACHE_MAX ("2GB", "100 MB", "5000000"), else the default. Failure: the
/// variable holds something else.
Result<std::int64_t> cache_bytes_max();

/// Every entry of ours. A leftover is a draft or a temporary folder, an hour old.
std::vector<CacheEntry> cache_entries(const std::filesystem::path& directory);

/// False where a process holds the entry, which then stays.
bool remove_cache_entry(const CacheEntry& entry);

/// Removes leftovers. Where the cache and `bytes_added` would pass the limit, the least recently
/// used entries go, and a tenth of the limit more, so that not every call scans the folder again.
/// The last used stays where nothing is added. Gives the bytes that are then there, and are added.
std::int64_t make_cache_room(const std::filesystem::path& directory, std::int64_t bytes_max,
                             std::int64_t bytes_added);

}  // namespace alphasparse
