// kernel: a kernel for CPUs, opened and run - its arrays, and the code that works on them.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "runtime/cpu/conductor.h"
#include "runtime/cpu/inputs.h"
#include "runtime/cpu/spmv.h"
#include "runtime/cpu/timing.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// The state that the kernels of one device share.
struct CpuSession {
  CpuSession(int team_threads, std::int64_t cache_bytes);

  int threads;
  CacheFlush flush;
  KeptInputs inputs;
  Conductor conductor;
};

/// Fills the kernel's arrays and hands them to its code. `kernel` and session must outlive it.
Result<std::unique_ptr<LoadedKernel>> load_cpu_kernel(CpuSession& session, const Kernel& kernel,
                                                      std::unique_ptr<CpuSpmv> spmv);

}  // namespace alphasparse
