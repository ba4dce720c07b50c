// kernel: one kernel on a GPU - its code, its arrays, x and y - to run and to time.
#pragma once
#include <memory>

#include "runtime/compilers/nvrtc.h"
#include "runtime/device/device.h"
#include "runtime/gpu/session.h"

namespace alphasparse {

/// Loads the compiled code and copies the arrays; the session is entered. `kernel` must outlive the
/// result.
Result<std::unique_ptr<LoadedKernel>> load_gpu_kernel(std::shared_ptr<GpuSession> session,
                                                      const Kernel& kernel,
                                                      const CompiledKernel& compiled);

}  // namespace alphasparse
