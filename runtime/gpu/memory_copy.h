// memory_copy: a copy from x to y by the driver, timed as a kernel is: one of the ways to learn
// the rate of a GPU's memory.
#pragma once
#include <memory>

#include "runtime/device/device.h"
#include "runtime/gpu/session.h"

namespace alphasparse {

/// Loads nothing but x and y, of as many elements each. `kernel` must outlive the result.
Result<std::unique_ptr<LoadedKernel>> load_memory_copy(std::shared_ptr<GpuSession> session,
                                                       const Kernel& kernel);

}  // namespace alphasparse
