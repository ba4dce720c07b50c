#include "runtime/system/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

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

std::int64_t address_space_left() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  std::int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return std::max<std::int64_t>(
      0, static_cast<std::int64_t>(limit.rlim_cur) - pages * sysconf(_SC_PAGESIZE));
}

/// The number that a control group's file holds; none where it is missing or says "max".
bool read_number(const std::string& path, std::int64_t& number) {
  return static_cast<bool>(std::ifstream(path) >> number);
}

/// Version 2 seen from inside a container, where the group's own files are at the root.
std::int64_t control_group_left() {
  std::int64_t limit = 0;
  std::int64_t used = 0;
  if (!read_number("/sys/fs/cgroup/memory.max", limit)) return unlimited;
  if (!read_number("/sys/fs/cgroup/memory.current", used)) return unlimited;
  return std::max<std::int64_t>(0, limit - used);
}

}  // namespace

std::int64_t available_memory_bytes() {
  return std::min({system_available(), address_space_left(), control_group_left()});
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
