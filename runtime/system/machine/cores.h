// cores: how many of the machine's cores this process may use, and their limit.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>

namespace alphasparse {

struct UsableCores {
  int count = 1;
  std::string limit;  ///< such as "SLURM_CPUS_PER_TASK=4"; empty: all that are online
};

/// The least of these: the cores that are online, the affinity of this process, the limit of
/// control groups (control_groups.h, below `root`), and SLURM_CPUS_PER_TASK; at least 1.
UsableCores usable_cores(const std::filesystem::path& root = "/");

/// Threads that this machine runs at once: the count of usable_cores(), asked for once.
std::size_t machine_threads();

/// Threads of others that run now or wait for a core, for each core that is online; 0: not known.
double others_per_core(const std::filesystem::path& loadavg = "/proc/loadavg");

}  // namespace alphasparse
