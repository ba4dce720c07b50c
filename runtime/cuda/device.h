// device: kernels on a real NVIDIA GPU, through the driver API.
//
// Everything runs in this process: a kernel that faults takes the process's CUDA context with it
// (cuda/session.h), and a kernel that hangs cannot be stopped. tests/gpu/RECORD.md has its runs on
// GPUs; tests/runtime/cuda/device_test.cpp runs it against a fake of the driver.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/compilers/nvrtc.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// Source and architecture ("sm_90") to a cubin and its facts.
using CompileFunction =
    std::function<Result<CompiledKernel>(const std::string& source, const std::string& arch)>;

/// Opens GPU `ordinal`, compiling with compile_cached. Throws Error (exit 4) where the driver, the
/// GPU or an NVRTC that knows the GPU is missing.
std::unique_ptr<Device> open_cuda_device(int ordinal);

/// The same with another compiler, used as it is: its name and version stay empty.
std::unique_ptr<Device> open_cuda_device(int ordinal, CompileFunction compile);

/// One line a GPU, or a single unavailable "cuda" that names the missing part.
std::vector<DeviceListing> list_cuda_devices();

}  // namespace alphasparse
