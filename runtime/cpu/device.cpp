#include "runtime/cpu/device.h"

#include <fmt/format.h>

#include "runtime/compilers/shared_objects.h"
#include "runtime/cpu/kernel.h"
#include "runtime/cpu/machine.h"
#include "runtime/cpu/mkl_spmv.h"
#include "runtime/cpu/shared_object.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/system/files/temporary_folder.h"

namespace alphasparse {

namespace {

class CpuDevice : public Device {
 public:
  CpuDevice(const DeviceInfo& info, const std::vector<std::string>& flags)
      : info_(info), flags_(flags), session_(info.threads, info.l2_bytes) {}

  const DeviceInfo& info() const override { return info_; }

  Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel) override {
    if (kernel.target != Target::cpu && !kernel.vendor.empty()) {
      return Failure{Status::pruned, "the vendor's library runs on its GPUs alone"};
    }
    if (auto failure = written_for_another(kernel, Target::cpu)) return *failure;
    auto spmv = open(kernel);
    if (!spmv) return spmv.failure();
    return load_cpu_kernel(session_, kernel, std::move(*spmv));
  }

 private:
  Result<std::unique_ptr<CpuSpmv>> open(const Kernel& kernel) {
    const Baseline* const peer = find_baseline(kernel.vendor);
    if (peer != nullptr && peer->source.empty()) return open_mkl_spmv(kernel);
    const Result<std::string> object = compile_cpu_kernel_cached(kernel, info_, flags_);
    if (!object) return object.failure();
    const std::filesystem::path file =
        folder_.write(fmt::format("kernel{}.so", ++loaded_), *object);
    auto opened = open_shared_object(kernel, file);
    std::error_code left;                 // for the folder's end
    std::filesystem::remove(file, left);  // open files stay
    return opened;
  }

  DeviceInfo info_;
  std::vector<std::string> flags_;
  CpuSession session_;
  TemporaryFolder folder_;
  int loaded_ = 0;
};

}  // namespace

DeviceInfo cpu_device_info(int threads) {
  const CpuMachine machine = this_machine();
  if (threads > machine.threads) {
    const std::string& limit = machine.threads_limit;
    throw Error(fmt::format("cpu:{}: this process may use {} core{}{}; name cpu:{} at most",
                            threads, machine.threads, machine.threads == 1 ? "" : "s",
                            limit.empty() ? "" : fmt::format(" ({})", limit), machine.threads));
  }
  DeviceInfo info;
  info.threads = threads > 0 ? threads : machine.threads;
  info.name = fmt::format("cpu:{}", info.threads);
  info.gpu = machine.name;
  info.kind = TimeKind::measured;
  info.target = Target::cpu;
  info.compiler = shared_object_compiler();
  info.version =
      fmt::format("{} thread{}, {}", info.threads, info.threads == 1 ? "" : "s", info.compiler);
  if (!machine.microcode.empty()) info.version += ", microcode " + machine.microcode;
  info.arch = machine.isa;
  info.l2_bytes = machine.cache_bytes;
  return info;
}

std::unique_ptr<Device> open_cpu_device(int threads) {
  return open_cpu_device(cpu_device_info(threads), {});
}

std::unique_ptr<Device> open_cpu_device(const DeviceInfo& info,
                                        const std::vector<std::string>& flags) {
  return std::make_unique<CpuDevice>(info, flags);
}

void forget_cpu_code(const Kernel& kernel, const DeviceInfo& info) {
  forget_cpu_kernel(kernel, info);
}

}  // namespace alphasparse
