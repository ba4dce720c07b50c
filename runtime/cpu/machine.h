// machine: the processor, and the part of it that this process may use.
#pragma once
#include <cstdint>
#include <string>

namespace alphasparse {

struct CpuMachine {
  std::string name;              ///< "AMD EPYC 9554 64-Core Processor"
  std::string isa;               ///< "x86-64 with AVX-512"
  std::string microcode;         ///< "0xa10113e"; empty where not told
  int threads = 1;               ///< cores that we may use (runtime/system/machine/cores.h)
  std::string threads_limit;     ///< why they are not all of the machine's; empty: they are
  std::int64_t cache_bytes = 0;  ///< of the last level of caches; 0 where not known
};

/// Asks /proc and /sys; figures that they do not tell stay as above.
CpuMachine this_machine();

}  // namespace alphasparse
