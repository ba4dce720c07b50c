#include "runtime/gpu/device.h"

#include <fmt/format.h>

#include "runtime/device/known_kernel.h"
#include "runtime/device/roofline.h"
#include "runtime/gpu/kernel.h"
#include "runtime/gpu/memory_copy.h"
#include "templates/templates.h"

namespace alphasparse {
namespace {

class GpuDevice : public Device {
 public:
  GpuDevice(std::shared_ptr<GpuSession> session, DeviceInfo info, GpuDeviceParts parts)
      : session_(std::move(session)), info_(std::move(info)), parts_(std::move(parts)) {}

  const DeviceInfo& info() const override { return info_; }

  Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel) override {
    if (auto failure = written_for_another(kernel, Target::gpu)) return *failure;
    if (auto failure = session_->enter()) return *failure;
    if (kernel.vendor == memory_copy_name) return load_memory_copy(session_, kernel);
    if (!kernel.vendor.empty()) return parts_.load_library_kernel(session_, kernel);
    const bool anew = is_known_kernel(kernel) && parts_.compile_anew;
    const Result<CompiledKernel> compiled =
        (anew ? parts_.compile_anew : parts_.compile)(kernel.source, info_.arch);
    if (!compiled) return compiled.failure();
    return load_gpu_kernel(session_, kernel, *compiled);
  }

 private:
  std::shared_ptr<GpuSession> session_;
  DeviceInfo info_;
  GpuDeviceParts parts_;
};

/// "; it reports 132 multiprocessors at 1980 MHz, ..." of those that the driver tells.
std::string properties_text(const GpuDescription& gpu) {
  const GpuProperties& reported = gpu.reported;
  std::string text;
  const auto add = [&](bool known, const std::string& property) {
    if (known) text += (text.empty() ? "; it reports " : ", ") + property;
  };
  add(reported.multiprocessors > 0,
      fmt::format("{} multiprocessors at {} MHz", reported.multiprocessors, reported.sm_mhz));
  add(gpu.l2_bytes > 0,
      fmt::format("{:.1f} MiB of L2", static_cast<double>(gpu.l2_bytes) / (1 << 20)));
  add(gpu.dram_gb_per_s > 0, fmt::format("memory of {:.0f} GB/s", gpu.dram_gb_per_s));
  return text;
}

}  // namespace

std::unique_ptr<Device> make_gpu_device(std::shared_ptr<GpuSession> session, DeviceInfo info,
                                        GpuDeviceParts parts) {
  return std::make_unique<GpuDevice>(std::move(session), std::move(info), std::move(parts));
}

Error gpu_device_error(const GpuDriverKind& kind, int ordinal, const std::string& reason) {
  return Error(ExitCode::no_device, fmt::format("{}:{}: {}", kind.device, ordinal, reason));
}

std::shared_ptr<GpuSession> open_gpu_session(Result<GpuDriver> driver, const GpuDriverKind& kind,
                                             int ordinal, const MakeMonitor& make_monitor) {
  if (!driver) throw gpu_device_error(kind, ordinal, driver.reason());
  if (ordinal < 0 || ordinal >= driver->device_count()) {
    std::vector<std::string> names;
    for (int one = 0; one < driver->device_count(); ++one)
      names.push_back(driver->device_name(one));
    throw gpu_device_error(
        kind, ordinal, fmt::format("there is no such GPU; there is {}", fmt::join(names, ", ")));
  }
  Result<std::shared_ptr<GpuSession>> session =
      GpuSession::open(std::move(*driver), ordinal, make_monitor);
  if (!session) throw gpu_device_error(kind, ordinal, session.reason());
  return std::move(*session);
}

MaybeFailure load_own_kernels(GpuSession& session, const CompileFunction& compile) {
  const std::string source(template_text("session/kernels.cuh"));
  const Result<CompiledKernel> compiled = [&]() -> Result<CompiledKernel> {
    try {
      return compile(source, session.gpu().arch);
    } catch (const Error& failure) {  // another compiler may work
      return Failure{Status::compile_error, failure.what()};
    }
  }();
  if (!compiled) return compiled.failure();
  if (auto failure = session.enter()) return failure;
  return session.load_own_kernels(compiled->cubin);
}

DeviceInfo gpu_device_info(const GpuSession& session, std::string version, std::string compiler) {
  const GpuDescription& gpu = session.gpu();
  DeviceInfo info = {session.driver().device_name(gpu.ordinal),
                     gpu.name,
                     TimeKind::measured,
                     std::move(version),
                     gpu.arch,
                     gpu.cache_bytes,
                     gpu.dram_gb_per_s,
                     std::move(compiler)};
  info.dialect = find_dialect(gpu.arch);
  info.reported = gpu.reported;
  return info;
}

std::vector<DeviceListing> list_gpu_devices(
    const Result<GpuDriver>& driver, const GpuDriverKind& kind,
    const std::function<std::string(const GpuDriver&, const GpuDescription&)>& compiler_trouble) {
  if (!driver) return {{kind.device, false, driver.reason()}};
  std::vector<DeviceListing> listings;
  for (int ordinal = 0; ordinal < driver->device_count(); ++ordinal) {
    const std::string name = driver->device_name(ordinal);
    const Result<GpuDescription> gpu = describe_gpu(*driver, ordinal);
    if (!gpu) {
      listings.push_back({name, false, gpu.reason()});
      continue;
    }
    const std::string trouble = compiler_trouble(*driver, *gpu);
    const std::string text = fmt::format("{}, {}, driver of {} {}{}", gpu->name, gpu->arch,
                                         kind.name, driver->version(), properties_text(*gpu));
    listings.push_back({name, trouble.empty(), trouble.empty() ? text : text + "; " + trouble});
  }
  return listings;
}

}  // namespace alphasparse
