// kernel: a kernel for CPUs, compiled, opened and run - its arrays, and a team of threads.
#pragma once
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "runtime/cpu/conductor.h"
#include "runtime/cpu/timing.h"
#include "runtime/device/device.h"

namespace alphasparse {

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
