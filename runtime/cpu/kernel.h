// kernel: a kernel for CPUs, compiled, opened and run - its arrays, and a team of threads.
#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "generator/target.h"
#include "runtime/cpu/conductor.h"
#include "runtime/cpu/timing.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// Zeros behind every array, which a gang may read and never uses: at the last entry it still reads
/// a value of each lane.
inline constexpr std::size_t slack_bytes = gang_most * sizeof(double);

/// What the kernels of one device share.
struct CpuSession {
  CpuSession(int team_threads, std::int64_t cache_bytes);

  int threads;
  CacheFlush flush;
  Conductor conductor;
};

/// Opens the shared object that was made of the kernel. `kernel` and session must outlive it.
Result<std::unique_ptr<LoadedKernel>> load_cpu_kernel(CpuSession& session, const Kernel& kernel,
                                                      const std::filesystem::path& object);

}  // namespace alphasparse
