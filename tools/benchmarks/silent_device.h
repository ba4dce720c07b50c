// silent_device: a device that runs no kernel, for the cost of everything around one.
#pragma once
#include <memory>

#include "generator/arrays/matrix.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// A device in a worker, as a GPU is, that takes kernels of GPUs for this matrix. It compiles none
/// and answers each with the results that it should have. All kernels have one time. The matrix
/// must outlive it. `device_seconds` grows by the seconds in which it makes results.
std::unique_ptr<Device> open_silent_device(const Matrix& matrix, double& device_seconds);

}  // namespace alphasparse
