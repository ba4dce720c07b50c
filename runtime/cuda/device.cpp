#include "runtime/cuda/device.h"

#include <fmt/format.h>

#include "runtime/compilers/compile_cached.h"
#include "runtime/compilers/nvrtc_choice.h"
#include "runtime/cuda/cusparse_kernel.h"
#include "runtime/cuda/kernel.h"
#include "runtime/cuda/memory_copy.h"
#include "runtime/cuda/session.h"
#include "runtime/device/known_kernel.h"
#include "runtime/device/roofline.h"
#include "templates/templates.h"

namespace alphasparse {
namespace {

/// The target of its compiler for its GPU.
std::string target_of(const DeviceInfo& info) {
  return nvrtc(info.compiler_library)->target_for(info.arch);
}

class CudaDevice : public Device {
 public:
  CudaDevice(std::shared_ptr<CudaSession> session, DeviceInfo info, CompileFunction compile)
      : session_(std::move(session)), info_(std::move(info)), compile_(std::move(compile)) {}

  const DeviceInfo& info() const override { return info_; }

  Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel) override {
    if (auto failure = written_for_another(kernel, Target::gpu)) return *failure;
    if (Fault fault = session_->enter()) return *fault;
    if (kernel.vendor == memory_copy_name) return load_memory_copy(session_, kernel);
    if (!kernel.vendor.empty()) return load_cusparse_kernel(session_, kernel);
    const bool anew = is_known_kernel(kernel) && !info_.compiler.empty();
    const Result<CompiledKernel> compiled =
        anew ? compile_anew(kernel.source, target_of(info_), info_.compiler_library)
             : compile_(kernel.source, info_.arch);
    if (!compiled) return compiled.failure();
    return load_cuda_kernel(session_, kernel, *compiled);
  }

 private:
  std::shared_ptr<CudaSession> session_;
  DeviceInfo info_;
  CompileFunction compile_;
};

/// "; it reports 132 multiprocessors at 1980 MHz, ..." of those that the driver tells.
std::string properties_text(const CudaGpu& gpu) {
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

Error device_error(int ordinal, const std::string& reason) {
  return Error(ExitCode::no_device, fmt::format("cuda:{}: {}", ordinal, reason));
}

/// The session's own code beside kernels: the first that shows whether the driver takes an image.
Fault load_own_kernels(CudaSession& session, const CompileFunction& compile) {
  const std::string source(template_text("session/kernels.cuh"));
  const Result<CompiledKernel> compiled = [&]() -> Result<CompiledKernel> {
    try {
      return compile(source, session.gpu().arch);
    } catch (const Error& fault) {  // another compiler may work
      return Failure{Status::compile_error, fault.what()};
    }
  }();
  if (!compiled) return compiled.failure();
  if (Fault fault = session.enter()) return fault;
  return session.load_own_kernels(compiled->cubin);
}

/// The library of the first compiler that makes images which the driver takes.
Result<std::string> compiler_for(CudaSession& session) {
  const CudaDriver& driver = session.driver();
  return choose_nvrtc(
      driver.major(), driver.version(), session.gpu().arch, [&](const Nvrtc& compiler) {
        const Fault fault =
            load_own_kernels(session, [&](const std::string& source, const std::string& arch) {
              return compile_cached(source, compiler.target_for(arch), {}, compiler.library());
            });
        return fault ? fmt::format("NVRTC {} ({}): {}", compiler.version(), compiler.library(),
                                   fault->reason)
                     : std::string();
      });
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
  std::string library, compiler;
  if (compile) {
    if (const Fault fault = load_own_kernels(**session, compile)) {
      throw device_error(ordinal, fault->reason);
    }
  } else {
    const Result<std::string> chosen = compiler_for(**session);
    if (!chosen) throw device_error(ordinal, chosen.reason());
    library = *chosen;
    const std::string target = nvrtc(library)->target_for(gpu.arch);
    compiler = fmt::format("NVRTC {} for {}", nvrtc(library)->version(), target);
    version += fmt::format(", NVRTC {}", nvrtc(library)->version());
    compile = [library, target](const std::string& source, const std::string&) {
      return compile_cached(source, target, {}, library);
    };
  }
  DeviceInfo info = {fmt::format("cuda:{}", ordinal),
                     gpu.name,
                     TimeKind::measured,
                     std::move(version),
                     gpu.arch,
                     gpu.l2_bytes,
                     gpu.dram_gb_per_s,
                     std::move(compiler),
                     std::move(library)};
  info.reported = gpu.reported;
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
    const auto chosen =
        choose_nvrtc(driver->major(), driver->version(), gpu->arch, [&](const Nvrtc& compiler) {
          const Result<CompiledKernel> tried =
              compiler.compile_nothing(compiler.target_for(gpu->arch));
          return tried ? std::string() : tried.reason();
        });
    const std::string trouble = chosen ? "" : chosen.reason();
    const std::string text = fmt::format("{}, {}, driver of CUDA {}{}", gpu->name, gpu->arch,
                                         driver->version(), properties_text(*gpu));
    listings.push_back({name, trouble.empty(), trouble.empty() ? text : text + "; " + trouble});
  }
  return listings;
}

}  // namespace alphasparse
