// driver: AMD's HIP as a table of functions.
#pragma once
#include <string>

#include "base/result.h"
#include "runtime/gpu/driver.h"

namespace alphasparse {

extern const GpuDriverKind hip_driver_kind;

/// Loads libamdhip64 of ROCm 7, 6 or 5 - from the path in ALPHASPARSE_LIBAMDHIP64 alone, where that
/// is set - and starts it. Failure as GpuDriver::open.
Result<GpuDriver> open_hip_driver();

/// Why HIP sees no GPU, with a remedy: `device` ("/dev/kfd") is missing or may not be used, or a
/// variable hides GPUs; empty where nothing of that is so.
std::string no_hip_gpu_reason(const std::string& device);

}  // namespace alphasparse
