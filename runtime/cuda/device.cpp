#include "runtime/cuda/device.h"

#include <fmt/format.h>

#include "runtime/compilers/compile_cached.h"
#include "runtime/compilers/nvrtc_choice.h"
#include "runtime/cuda/cusparse_kernel.h"
#include "runtime/cuda/driver.h"
#include "runtime/cuda/gpu_monitor.h"

namespace alphasparse {
namespace {

GpuMonitor nvml_monitor(const GpuDescription& gpu) {
  auto opened = NvmlMonitor::open(gpu.bus_id);
  if (!opened) return {};
  return [monitor = std::make_shared<NvmlMonitor>(std::move(*opened))] { return monitor->state(); };
}

/// The library of the first compiler that makes images which the driver takes.
Result<std::string> find_compiler(GpuSession& session) {
  const GpuDriver& driver = session.driver();
  return choose_nvrtc(
      driver.major(), driver.version(), session.gpu().arch, [&](const Nvrtc& compiler) {
        const auto failure =
            load_own_kernels(session, [&](const std::string& source, const std::string& arch) {
              return compile_cached(source, compiler.find_target(arch), {}, compiler.library());
            });
        return failure ? fmt::format("NVRTC {} ({}): {}", compiler.version(), compiler.library(),
                                     failure->reason)
                       : std::string();
      });
}

/// Why no NVRTC compiles for a GPU; empty where one does.
std::string nvrtc_trouble(const GpuDriver& driver, const GpuDescription& gpu) {
  const auto chosen =
      choose_nvrtc(driver.major(), driver.version(), gpu.arch, [&](const Nvrtc& compiler) {
        const Result<CompiledKernel> tried =
            compiler.compile_nothing(compiler.find_target(gpu.arch));
        return tried ? std::string() : tried.reason();
      });
  return chosen ? "" : chosen.reason();
}

}  // namespace

std::unique_ptr<Device> open_cuda_device(int ordinal, CompileFunction compile) {
  const std::shared_ptr<GpuSession> session =
      open_gpu_session(open_cuda_driver(), cuda_driver_kind, ordinal, nvml_monitor);
  GpuDeviceParts parts = {std::move(compile), {}, load_cusparse_kernel};
  std::string version = fmt::format("driver of CUDA {}", session->driver().version());
  if (parts.compile) {
    if (const auto failure = load_own_kernels(*session, parts.compile))
      throw gpu_device_error(cuda_driver_kind, ordinal, failure->reason);
    return make_gpu_device(session, gpu_device_info(*session, std::move(version), ""),
                           std::move(parts));
  }
  const Result<std::string> library = find_compiler(*session);
  if (!library) throw gpu_device_error(cuda_driver_kind, ordinal, library.reason());
  const Nvrtc& compiler = *nvrtc(*library);
  const std::string target = compiler.find_target(session->gpu().arch);
  version += fmt::format(", NVRTC {}", compiler.version());
  DeviceInfo info = gpu_device_info(*session, std::move(version),
                                    fmt::format("NVRTC {} for {}", compiler.version(), target));
  info.compiler_library = *library;
  parts.compile = [library = *library, target](const std::string& source, const std::string&) {
    return compile_cached(source, target, {}, library);
  };
  parts.compile_anew = [library = *library, target](const std::string& source, const std::string&) {
    return compile_anew(source, target, library);
  };
  return make_gpu_device(session, std::move(info), std::move(parts));
}

std::unique_ptr<Device> open_cuda_device(int ordinal) { return open_cuda_device(ordinal, {}); }

std::vector<DeviceListing> list_cuda_devices() {
  return list_gpu_devices(open_cuda_driver(), cuda_driver_kind, nvrtc_trouble);
}

}  // namespace alphasparse
