#include "runtime/cuda/device.h"

#include <fmt/format.h>

#include "runtime/compilers/compile_cached.h"
#include "runtime/cuda/cusparse_kernel.h"
#include "runtime/cuda/kernel.h"
#include "runtime/cuda/session.h"
#include "templates/templates.h"

namespace alphasparse {
namespace {

class CudaDevice : public Device {
 public:
  CudaDevice(std::shared_ptr<CudaSession> session, DeviceInfo info, CompileFunction compile)
      : session_(std::move(session)), info_(std::move(info)), compile_(std::move(compile)) {}

  const DeviceInfo& info() const override { return info_; }

  Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel) override {
    if (Fault fault = session_->enter()) return *fault;
    if (!kernel.vendor.empty()) return load_cusparse_kernel(session_, kernel);
    const Result<CompiledKernel> compiled = compile_(kernel.source, info_.arch);
    if (!compiled) return compiled.failure();
    return load_cuda_kernel(session_, kernel, *compiled);
  }

 private:
  std::shared_ptr<CudaSession> session_;
  DeviceInfo info_;
  CompileFunction compile_;
};

/// What keeps NVRTC from compiling for `arch`; empty where nothing does.
std::string compiler_trouble(const std::string& arch) {
  if (!nvrtc()) return nvrtc().reason();
  if (nvrtc()->supports(arch)) return "";
  return fmt::format("NVRTC {} ({}) does not compile for {}: install a CUDA toolkit that does",
                     nvrtc()->version(), nvrtc()->library(), arch);
}

Error device_error(int ordinal, const std::string& reason) {
  return Error(ExitCode::no_device, fmt::format("cuda:{}: {}", ordinal, reason));
}

/// What the session runs beside kernels.
Fault load_own_kernels(CudaSession& session, const CompileFunction& compile) {
  const std::string source(template_text("session/kernels.cuh"));
  const Result<CompiledKernel> compiled = compile(source, session.gpu().arch);
  if (!compiled) return compiled.failure();
  if (Fault fault = session.enter()) return fault;
  return session.load_own_kernels(compiled->cubin);
}

}  // namespace

std::unique_ptr<Device> open_cuda_device(int ordinal, CompileFunction compile) {
  Result<CudaDriver> driver = CudaDriver::open();
  if (!driver) throw device_error(ordinal, driver.reason());
  if (ordinal < 0 || ordinal >= driver->device_count()) {
    throw device_error(ordinal, fmt::format("there is no such GPU, the last is cuda:{}",
                                            driver->device_count() - 1));
  }
  Result<std::shared_ptr<CudaSession>> session = CudaSession::open(std::move(*driver), ordinal);
  if (!session) throw device_error(ordinal, session.reason());
  const CudaGpu& gpu = (*session)->gpu();
  std::string version = fmt::format("driver of CUDA {}", (*session)->driver().version());
  if (!compile) {
    const std::string trouble = compiler_trouble(gpu.arch);
    if (!trouble.empty()) throw device_error(ordinal, trouble);
    version += fmt::format(", NVRTC {}", nvrtc()->version());
    compile = [](const std::string& source, const std::string& arch) {
      return compile_cached(source, arch);
    };
  }
  const Fault fault = load_own_kernels(**session, compile);
  if (fault) throw device_error(ordinal, fault->reason);
  DeviceInfo info = {fmt::format("cuda:{}", ordinal),
                     gpu.name,
                     TimeKind::measured,
                     std::move(version),
                     gpu.arch,
                     gpu.l2_bytes,
                     gpu.dram_gb_per_s};
  return std::make_unique<CudaDevice>(std::move(*session), std::move(info), std::move(compile));
}

std::unique_ptr<Device> open_cuda_device(int ordinal) { return open_cuda_device(ordinal, {}); }

std::vector<DeviceListing> list_cuda_devices() {
  const Result<CudaDriver> driver = CudaDriver::open();
  if (!driver) return {{"cuda", false, driver.reason()}};
  std::vector<DeviceListing> listings;
  for (int ordinal = 0; ordinal < driver->device_count(); ++ordinal) {
    const std::string name = fmt::format("cuda:{}", ordinal);
    const Result<CudaGpu> gpu = describe_gpu(*driver, ordinal);
    if (!gpu) {
      listings.push_back({name, false, gpu.reason()});
      continue;
    }
    const std::string trouble = compiler_trouble(gpu->arch);
    const std::string text =
        fmt::format("{}, {}, driver of CUDA {}", gpu->name, gpu->arch, driver->version());
    listings.push_back({name, trouble.empty(), trouble.empty() ? text : text + "; " + trouble});
  }
  return listings;
}

}  // namespace alphasparse
