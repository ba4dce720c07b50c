// kernel: one kernel on a GPU - its code, its arrays, x and y - to run and to time.
#pragma once
#include <memory>

#include "runtime/compilers/nvrtc.h"
#include "runtime/cuda/session.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// Loads the compiled code and copies the arrays; the session is entered. `kernel` must outlive the
/// result.
Result<std::unique_ptr<LoadedKernel>> load_cuda_kernel(std::shared_ptr<CudaSession> session,
                                                       const Kernel& kernel,
                                                       const CompiledKernel& compiled);

}  // namespace alphasparse
