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

/// Of a limit of this process, of which the field of /proc/self/statm counts the pages in use.
std::int64_t process_limit_left(int resource, int field) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  std::ifstream file("/proc/self/statm");
  std::int64_t pages = 0;
  for (int i = 0; i <= field; ++i) file >> pages;
  return std::max<std::int64_t>(
      0, static_cast<std::int64_t>(limit.rlim_cur) - pages * sysconf(_SC_PAGESIZE));
}

/// ulimit -v, and ulimit -d.
std::int64_t process_limits_left() {
  constexpr int all_pages = 0, data_pages = 5;
  return std::min(process_limit_left(RLIMIT_AS, all_pages),
                  process_limit_left(RLIMIT_DATA, data_pages));
}

/// The number that a control group's file holds; none where it is missing or says "max".
bool read_number(const std::string& path, std::int64_t& number) {
  return static_cast<bool>(std::ifstream(path) >> number);
}

/// What a group leaves whose files have these names; unlimited where it has none.
std::int64_t group_left(const std::string& folder, const char* limit_name, const char* used_name) {
  std::int64_t limit = 0, used = 0;
  if (!read_number(folder + limit_name, limit)) return unlimited;
  if (!read_number(folder + used_name, used)) return unlimited;
  return std::max<std::int64_t>(0, limit - used);
}

/// The least that the process' control group and those above it leave. Inside a container the
/// group's own files are at the root; version 1 has other names.
std::int64_t control_group_left() {
  std::int64_t left = std::min(
      group_left("/sys/fs/cgroup", "/memory.max", "/memory.current"),
      group_left("/sys/fs/cgroup/memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes"));
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (!line.starts_with("0::/")) continue;  // version 2
    for (std::string path = line.substr(3); path.size() > 1; path.resize(path.rfind('/')))
      left = std::min(left, group_left("/sys/fs/cgroup" + path, "/memory.max", "/memory.current"));
  }
  return left;
}

}  // namespace

std::int64_t available_memory_bytes() {
  return std::min({system_available(), process_limits_left(), control_group_left()});
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
