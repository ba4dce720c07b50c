#include "runtime/emulated/device.h"

#include <fmt/format.h>

#include "runtime/emulated/emulator_program.h"
#include "runtime/emulated/gpu_models.h"
#include "runtime/emulated/kernel.h"

namespace alphasparse {

namespace {

class EmulatedDevice : public Device {
 public:
  EmulatedDevice(const GpuModel& gpu, std::string no_gpu_reason)
      : tools_(gpu, find_host_compiler(), find_emulator()) {
    info_.name = "emulated:" + gpu.name;
    info_.gpu = gpu.full_name;
    info_.kind = TimeKind::modelled;
    info_.fit = gpu.fit;
    info_.version = fmt::format("{}{}{}", gpu_models_version, gpu.fit.empty() ? "" : ", ", gpu.fit);
    info_.arch = gpu.arch;
    info_.dialect = find_dialect(gpu.arch);
    info_.l2_bytes = gpu.l2_bytes;
    info_.compiler = fmt::format("g++ {} on the emulator", tools_.compiler().version);
    info_.no_gpu_reason = std::move(no_gpu_reason);
  }

  const DeviceInfo& info() const override { return info_; }

  Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel) override {
    if (!kernel.vendor.empty()) {
      return Failure{Status::pruned, "the vendor's library runs on its GPUs alone"};
    }
    if (auto failure = written_for_another(kernel, Target::gpu)) return *failure;
    auto loaded = std::make_unique<EmulatedKernel>(tools_, kernel);
    if (auto failure = loaded->build()) return *failure;
    return std::unique_ptr<LoadedKernel>(std::move(loaded));
  }

  void set_deadline(const Deadline& deadline) override { tools_.set_deadline(deadline); }

 private:
  EmulatorToolchain tools_;
  DeviceInfo info_;
};

}  // namespace

std::unique_ptr<Device> open_emulated_device(const std::string& gpu, std::string no_gpu_reason) {
  const GpuModel* model = find_gpu_model(gpu);
  if (!model) {
    std::string known;
    for (const GpuModel& each : gpu_models()) known += (known.empty() ? "" : ", ") + each.name;
    throw Error(fmt::format("no model of a GPU '{}'; there are {}", gpu, known));
  }
  return std::make_unique<EmulatedDevice>(*model, std::move(no_gpu_reason));
}

}  // namespace alphasparse
