// state: a GPU at one moment, as a monitor tells it.
#pragma once
#include <string>

namespace alphasparse {

struct GpuState {
  int sm_mhz = -1;                ///< of its multiprocessors; -1 where it does not tell
  unsigned long long slowed = 0;  ///< reasons for a clock below the highest, a bit each, as NVML's
  bool shared = false;            ///< other processes use it; false where it does not tell
};

/// The reasons that a person should know of, as words between commas: "power cap, heat". An idle
/// GPU, or clocks that a user has set, are none. `shared`: with another process.
std::string slowed_text(unsigned long long reasons, bool shared = false);

}  // namespace alphasparse
