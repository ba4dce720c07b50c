// driver: NVIDIA's driver as a table of functions.
#pragma once
#include "base/result.h"
#include "runtime/gpu/driver.h"

namespace alphasparse {

extern const GpuDriverKind cuda_driver_kind;

/// Loads libcuda - from the path in ALPHASPARSE_LIBCUDA alone, where that is set - and starts it.
/// Failure as GpuDriver::open.
Result<GpuDriver> open_cuda_driver();

}  // namespace alphasparse
