#include "runtime/cpu/machine.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "runtime/system/machine/cores.h"
#include "runtime/system/machine/processor.h"

namespace alphasparse {

namespace {

/// The first line of a file; empty where there is none.
std::string read_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// "32768K" of the highest cache index.
std::int64_t last_cache_bytes() {
  std::int64_t bytes = 0;
  for (int index = 0; index < 8; ++index) {
    const std::string size =
        read_line("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size");
    std::int64_t value = std::atoll(size.c_str());
    if (size.ends_with("K")) value <<= 10;
    if (size.ends_with("M")) value <<= 20;
    bytes = std::max(bytes, value);
  }
  return bytes;
}

std::string isa_text() {
#if defined(__x86_64__)
  const std::string flags = " " + cpuinfo_field("flags") + " ";
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
  machine.name = cpuinfo_field("model name");
  machine.isa = isa_text();
  if (machine.name.empty()) machine.name = machine.isa;
  machine.microcode = cpuinfo_field("microcode");
  const UsableCores cores = usable_cores();
  machine.threads = cores.count;
  machine.threads_limit = cores.limit;
  machine.cache_bytes = last_cache_bytes();
  return machine;
}

}  // namespace alphasparse
