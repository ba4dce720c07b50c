// device: kernels on a GPU that is here. A maker's folder opens it, with a driver and a compiler.
//
// Everything runs in this process: a kernel that faults takes the process's context with it
// (session.h), and a kernel that hangs cannot be stopped.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/compilers/nvrtc.h"
#include "runtime/device/device.h"
#include "runtime/gpu/session.h"

namespace alphasparse {

/// Source and architecture ("sm_90") to machine code and its facts.
using CompileFunction =
    std::function<Result<CompiledKernel>(const std::string& source, const std::string& arch)>;

/// The parts of a device that are its maker's.
struct GpuDeviceParts {
  CompileFunction compile;
  CompileFunction compile_anew;  ///< without a cache, so that the compiler shows that it works
  /// A kernel of the maker's library (Kernel::vendor).
  std::function<Result<std::unique_ptr<LoadedKernel>>(std::shared_ptr<GpuSession>, const Kernel&)>
      load_library_kernel;
};

std::unique_ptr<Device> make_gpu_device(std::shared_ptr<GpuSession> session, DeviceInfo info,
                                        GpuDeviceParts parts);

/// GPU `ordinal` in use. Throws Error (exit 4), which begins with "cuda:1" for the kind "cuda",
/// where the driver or the GPU is missing.
std::shared_ptr<GpuSession> open_gpu_session(Result<GpuDriver> driver, const GpuDriverKind& kind,
                                             int ordinal, const MakeMonitor& make_monitor);

/// That Error, for another cause.
Error gpu_device_error(const GpuDriverKind& kind, int ordinal, const std::string& reason);

/// The session's own code beside kernels: the first that shows whether the driver takes an image.
MaybeFailure load_own_kernels(GpuSession& session, const CompileFunction& compile);

/// All that a session tells of its GPU; `version` is that of driver and compiler.
DeviceInfo gpu_device_info(const GpuSession& session, std::string version, std::string compiler);

/// One line a GPU, or a single unavailable "cuda" that names the missing part. `compiler_trouble`
/// tells why there is no compiler for a GPU; empty where there is one.
std::vector<DeviceListing> list_gpu_devices(
    const Result<GpuDriver>& driver, const GpuDriverKind& kind,
    const std::function<std::string(const GpuDriver&, const GpuDescription&)>& compiler_trouble);

}  // namespace alphasparse
