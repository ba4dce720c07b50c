// rocsparse_kernel: an SpMV that rocSPARSE computes on the arrays, x and y of a kernel of
// baseline_kernels.h.
#pragma once
#include <memory>

#include "runtime/device/device.h"
#include "runtime/gpu/session.h"

namespace alphasparse {

/// Loads kernel.vendor; the session is entered, `kernel` must outlive the result. Its timings note
/// the time of preparing it: the call that only depends on the matrix, and its buffer.
Result<std::unique_ptr<LoadedKernel>> load_rocsparse_kernel(std::shared_ptr<GpuSession> session,
                                                            const Kernel& kernel);

}  // namespace alphasparse
