#include "runtime/cpu/machine.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace alphasparse {

namespace {

/// The first line of a file; empty where there is none.
std::string line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The value of the first line of /proc/cpuinfo that begins with the field.
std::string cpuinfo(const std::string& field) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with(field) && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "";
}

int cores_of_affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

/// "max 100000" or "200000 100000": microseconds of each period. Of the whole cgroup tree above us
/// the file at its root is the one that a container sees.
int cores_of_quota() {
  std::istringstream words(line_of("/sys/fs/cgroup/cpu.max"));
  std::string quota;
  double period = 0;
  if (!(words >> quota >> period) || quota == "max" || period <= 0) return 1 << 20;
  return std::max(1, static_cast<int>(std::ceil(std::atof(quota.c_str()) / period)));
}

/// "32768K" of the highest cache index.
std::int64_t last_cache_bytes() {
  std::int64_t bytes = 0;
  for (int index = 0; index < 8; ++index) {
    const std::string size =
        line_of("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size");
    std::int64_t value = std::atoll(size.c_str());
    if (size.ends_with("K")) value <<= 10;
    if (size.ends_with("M")) value <<= 20;
    bytes = std::max(bytes, value);
  }
  return bytes;
}

std::string isa_text() {
#if defined(__x86_64__)
  const std::string flags = " " + cpuinfo("flags") + " ";
  if (flags.find(" avx512f ") != std::string::npos) return "x86-64 with AVX-512";
  if (flags.find(" avx2 ") != std::string::npos) return "x86-64 with AVX2";
  return "x86-64";
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "a processor";
#endif
}

}  // namespace

CpuMachine this_machine() {
  CpuMachine machine;
  machine.name = cpuinfo("model name");
  machine.isa = isa_text();
  if (machine.name.empty()) machine.name = machine.isa;
  machine.microcode = cpuinfo("microcode");
  machine.threads = std::min(cores_of_affinity(), cores_of_quota());
  machine.cache_bytes = last_cache_bytes();
  return machine;
}

}  // namespace alphasparse
