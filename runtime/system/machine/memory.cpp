#include "runtime/system/machine/memory.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "runtime/system/machine/control_groups.h"

namespace alphasparse {

namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// MemAvailable of /proc/meminfo.
std::int64_t system_available() {
  std::ifstream file("/proc/meminfo");
  for (std::string key; file >> key;) {
    std::int64_t kibibytes = 0;
    if (key == "MemAvailable:" && file >> kibibytes) return kibibytes * 1024;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return unlimited;
}

/// The bytes that a limit of this process leaves; the field of /proc/self/statm counts the pages in
/// use.
std::int64_t process_limit_left(int resource, int field) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  std::ifstream file("/proc/self/statm");
  std::int64_t pages = 0;
  for (int i = 0; i <= field; ++i) file >> pages;
  return std::max<std::int64_t>(
      0, static_cast<std::int64_t>(limit.rlim_cur) - pages * sysconf(_SC_PAGESIZE));
}

}  // namespace

AvailableMemory available_memory() {
  constexpr int all_pages = 0, data_pages = 5;
  AvailableMemory least{system_available(), ""};
  const auto limit = [&](std::int64_t bytes, const std::string& reason) {
    if (bytes < least.bytes) least = {bytes, reason};
  };
  limit(process_limit_left(RLIMIT_AS, all_pages), "ulimit -v");
  limit(process_limit_left(RLIMIT_DATA, data_pages), "ulimit -d");
  if (const auto group = group_memory()) limit(group->bytes_left, group->file);
  return least;
}

std::int64_t available_memory_bytes() { return available_memory().bytes; }

void release_freed_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

std::int64_t peak_memory_bytes() {
  std::int64_t peak = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    if (getrusage(who, &usage) == 0) peak = std::max<std::int64_t>(peak, 1024 * usage.ru_maxrss);
  }
  return peak;
}

std::string byte_count_text(std::int64_t bytes) {
  const double count = static_cast<double>(bytes);
  if (bytes >= 1'000'000'000) return fmt::format("{:.1f} GB", count / 1e9);
  if (bytes >= 1'000'000) return fmt::format("{:.1f} MB", count / 1e6);
  if (bytes >= 1'000) return fmt::format("{:.1f} kB", count / 1e3);
  return fmt::format("{} B", bytes);
}

}  // namespace alphasparse
