// kernel: a kernel for CPUs, opened and run - its arrays, and the code that works on them.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "generator/target.h"
#include "runtime/cpu/conductor.h"
#include "runtime/cpu/spmv.h"
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

/// Fills the kernel's arrays and hands them to its code. `kernel` and session must outlive it.
Result<std::unique_ptr<LoadedKernel>> load_cpu_kernel(CpuSession& session, const Kernel& kernel,
                                                      std::unique_ptr<CpuSpmv> spmv);

}  // namespace alphasparse
