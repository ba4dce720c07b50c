#include "runtime/hip/device.h"

#include <fmt/format.h>

#include "runtime/compilers/compile_cached.h"
#include "runtime/compilers/hiprtc.h"
#include "runtime/hip/driver.h"
#include "runtime/hip/rocsparse_kernel.h"

namespace alphasparse {
namespace {

GpuMonitor no_monitor(const GpuDescription&) { return {}; }

/// Why hiprtc does not compile for a GPU; empty where it does.
std::string hiprtc_trouble(const GpuDriver&, const GpuDescription& gpu) {
  try {
    const auto tried = compile_anew_by_hiprtc(nothing_kernel, gpu.arch);
    return tried ? "" : tried.reason();
  } catch (const Error& failure) {
    return failure.what();
  }
}

}  // namespace

std::unique_ptr<Device> open_hip_device(int ordinal, CompileFunction compile) {
  const std::shared_ptr<GpuSession> session =
      open_gpu_session(open_hip_driver(), hip_driver_kind, ordinal, no_monitor);
  GpuDeviceParts parts = {std::move(compile), {}, load_rocsparse_kernel};
  std::string version = fmt::format("driver of HIP {}", session->driver().version());
  std::string compiler;
  if (!parts.compile) {
    if (!hiprtc()) throw gpu_device_error(hip_driver_kind, ordinal, hiprtc().reason());
    parts.compile = compile_by_hiprtc;
    parts.compile_anew = compile_anew_by_hiprtc;
    version += fmt::format(", hiprtc {}", hiprtc()->version());
    compiler = fmt::format("hiprtc {} for {}", hiprtc()->version(), session->gpu().arch);
  }
  if (const auto failure = load_own_kernels(*session, parts.compile))
    throw gpu_device_error(hip_driver_kind, ordinal, failure->reason);
  DeviceInfo info = gpu_device_info(*session, std::move(version), std::move(compiler));
  return make_gpu_device(session, std::move(info), std::move(parts));
}

std::unique_ptr<Device> open_hip_device(int ordinal) { return open_hip_device(ordinal, {}); }

std::vector<DeviceListing> list_hip_devices() {
  return list_gpu_devices(open_hip_driver(), hip_driver_kind, hiprtc_trouble);
}

}  // namespace alphasparse
