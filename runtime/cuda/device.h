// device: kernels on a GPU of NVIDIA that is here. tests/gpu/RECORD.md has its runs on GPUs;
// tests/runtime/gpu/device_test.cpp runs it against a fake of the driver.
#pragma once
#include <memory>
#include <vector>

#include "runtime/gpu/device.h"

namespace alphasparse {

/// Opens GPU `ordinal`, compiling with compile_cached. Throws Error (exit 4) where the driver, the
/// GPU or an NVRTC that knows the GPU is missing.
std::unique_ptr<Device> open_cuda_device(int ordinal);

/// The same with another compiler, used as it is: its name and version stay empty.
std::unique_ptr<Device> open_cuda_device(int ordinal, CompileFunction compile);

/// One line a GPU, or a single unavailable "cuda" that names the missing part.
std::vector<DeviceListing> list_cuda_devices();

}  // namespace alphasparse
