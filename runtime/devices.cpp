// devices: device names, as --device takes them, to devices.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <optional>

#include "runtime/cpu/device.h"
#include "runtime/cuda/device.h"
#include "runtime/cuda/driver.h"
#include "runtime/device/device.h"
#include "runtime/device/known_kernel.h"
#include "runtime/emulated/device.h"
#include "runtime/emulated/gpu_models.h"
#include "runtime/hip/device.h"
#include "runtime/hip/driver.h"
#include "runtime/system/files/temporary_folder.h"
#include "runtime/system/processes/forked_task.h"
#include "runtime/worker/device.h"

namespace alphasparse {
namespace {

constexpr const char* default_model = "h200";

/// A maker of GPUs.
struct GpuMaker {
  const GpuDriverKind& kind;
  Dialect dialect;
  std::unique_ptr<Device> (*open)(int ordinal);
  std::vector<DeviceListing> (*list)();
};

/// In the order in which "auto" tries them.
const GpuMaker gpu_makers[] = {
    {cuda_driver_kind, Dialect::cuda, open_cuda_device, list_cuda_devices},
    {hip_driver_kind, Dialect::hip, open_hip_device, list_hip_devices},
};

/// A GPU that --device names.
struct NamedGpu {
  const GpuMaker* maker;
  int ordinal;
};

/// "cuda" and "cuda:0" are 0, "hip:12" is 12; nothing where `name` is no GPU's name.
std::optional<NamedGpu> named_gpu(const std::string& name) {
  for (const GpuMaker& maker : gpu_makers) {
    const std::string_view kind = maker.kind.device;
    if (name == kind) return NamedGpu{&maker, 0};
    if (!name.starts_with(kind) || name[kind.size()] != ':') continue;
    const char* const first = name.data() + kind.size() + 1;
    const char* const last = name.data() + name.size();
    int ordinal = 0;
    const auto [end, error] = std::from_chars(first, last, ordinal);
    if (error == std::errc() && end == last && *first != '-') return NamedGpu{&maker, ordinal};
  }
  return std::nullopt;
}

/// "cpu" is 0, all cores that we may use; "cpu:2" is 2; nothing where `name` is no CPU's name.
std::optional<int> cpu_threads(std::string_view name) {
  if (name == "cpu") return 0;
  if (!name.starts_with("cpu:")) return std::nullopt;
  name.remove_prefix(4);
  int threads = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), threads);
  const bool whole = error == std::errc() && end == name.data() + name.size();
  return whole && threads > 0 ? std::optional(threads) : std::nullopt;
}

/// A GPU belongs to a worker: a kernel that damages the worker leaves us unharmed.
/// ALPHASPARSE_IN_PROCESS is for debuggers and profilers that do not follow a fork.
std::unique_ptr<Device> open_gpu_worker(const NamedGpu& gpu, const WorkerLimits& limits) {
  const char* const in_process = std::getenv("ALPHASPARSE_IN_PROCESS");
  if (in_process != nullptr && *in_process != '\0') return gpu.maker->open(gpu.ordinal);
  return open_worker_device([gpu] { return gpu.maker->open(gpu.ordinal); }, limits);
}

/// The CPU's kernels run in a worker too. `no_gpu_reason`: DeviceInfo.
std::unique_ptr<Device> open_cpu_worker(int threads, std::string no_gpu_reason = "") {
  // Known before workers are: a worker that is started anew does not ask for changes since then.
  DeviceInfo info = cpu_device_info(threads);
  info.no_gpu_reason = std::move(no_gpu_reason);
  return open_worker_device([info] { return open_cpu_device(info, {}); }, worker_limits(),
                            [info](const Kernel& kernel) { forget_cpu_code(kernel, info); });
}

/// The device of "auto", checked: the first GPU of a maker, else this CPU. A model of a GPU is left
/// where g++ makes its kernels alone.
std::unique_ptr<Device> open_best_device() {
  const WorkerLimits limits = worker_limits();  // their faults are no lack of a device
  std::string passed_over;
  for (const GpuMaker& maker : gpu_makers) {
    try {
      std::unique_ptr<Device> device = open_gpu_worker({&maker, 0}, limits);
      check_device(*device);
      return device;
    } catch (const Error& error) {
      if (!may_be_here(maker.kind)) continue;
      passed_over += (passed_over.empty() ? "" : "; ") + std::string(error.what());
    }
  }
  if (passed_over.empty()) passed_over = "none is seen; alphasparse devices tells more";
  try {
    std::unique_ptr<Device> device = open_cpu_worker(0, passed_over);
    check_device(*device);
    return device;
  } catch (const Error& error) {
    passed_over += fmt::format("; {}", error.what());
  }
  std::unique_ptr<Device> device = open_emulated_device(default_model, passed_over);
  check_device(*device);
  return device;
}

/// The listing of a device that cannot even be asked.
DeviceListing unavailable(const std::string& name, const std::exception& error) {
  return {name, false, error.what()};
}

constexpr const char* known_kernel_ran = "a known kernel was compiled and ran";

DeviceListing cpu_listing() {
  try {
    const DeviceInfo info = open_device("cpu")->info();
    return {info.name, true,
            fmt::format("{}, {}, times are measured, {}; {}", info.gpu, info.arch, info.compiler,
                        known_kernel_ran)};
  } catch (const std::exception& error) {
    return unavailable("cpu", error);
  }
}

/// One model shows whether the emulator works: they all are one program.
std::vector<DeviceListing> emulated_listings() {
  std::vector<DeviceListing> listings;
  std::string trouble;
  for (const GpuModel& model : gpu_models()) {
    const std::string name = "emulated:" + model.name;
    try {
      const auto device = open_emulated_device(model.name);
      if (listings.empty()) check_device(*device);
      const DeviceInfo& info = device->info();
      listings.push_back({name, true,
                          fmt::format("model of {}, {}, times are modelled, {}; {}", info.gpu,
                                      info.arch, info.version, known_kernel_ran)});
    } catch (const std::exception& error) {
      if (listings.empty()) trouble = error.what();
      listings.push_back(unavailable(name, error));
    }
    if (!trouble.empty()) listings.back() = {name, false, trouble};
  }
  return listings;
}

/// The driver's listings of all GPUs of a maker. A fork asks it: a process that has initialised the
/// driver can start no worker.
std::vector<DeviceListing> gpu_listings(const GpuMaker& maker) {
  ForkedTask task([&](const ForkedTask::Report& report) {
    for (const DeviceListing& listing : maker.list()) {
      report(listing.name);
      report(listing.available ? "available" : "");
      report(listing.text);
    }
  });
  std::vector<std::string> reported;
  while (task.hear(reported)) {
  }
  const std::string end = task.how_it_ended();
  std::vector<DeviceListing> listings;
  for (std::size_t i = 0; i + 2 < reported.size(); i += 3)
    listings.push_back({reported[i], !reported[i + 1].empty(), reported[i + 2]});
  if (!end.empty())
    listings.push_back({maker.kind.device, false,
                        fmt::format("asking the {} driver ended: {}", maker.kind.name, end)});
  return listings;
}

/// The listings of the GPUs of all makers.
std::vector<DeviceListing> gpu_listings() {
  std::vector<DeviceListing> listings;
  for (const GpuMaker& maker : gpu_makers) {
    try {
      for (DeviceListing& listing : gpu_listings(maker)) listings.push_back(std::move(listing));
    } catch (const std::exception& error) {
      listings.push_back(unavailable(maker.kind.device, error));
    }
  }
  return listings;
}

/// The GPU that "auto" takes; nothing where there is none.
std::optional<NamedGpu> first_gpu() {
  const std::vector<DeviceListing> listings = gpu_listings();
  const auto found = std::find_if(listings.begin(), listings.end(),
                                  [](const DeviceListing& one) { return one.available; });
  return found == listings.end() ? std::nullopt : named_gpu(found->name);
}

/// The names of the GPUs that can be used.
std::vector<std::string> gpu_names() {
  std::vector<std::string> names;
  std::string reason;
  for (const DeviceListing& listing : gpu_listings()) {
    if (listing.available)
      names.push_back(listing.name);
    else
      reason += (reason.empty() ? ": " : "; ") + listing.text;
  }
  if (names.empty()) throw Error(ExitCode::no_device, "--device all: no GPU is here" + reason);
  return names;
}

/// Throws where these cannot work side by side.
void check_together(const std::vector<std::string>& names) {
  std::vector<std::string> gpus;
  for (const std::string& name : names) {
    if (name == "auto" || name == "all")
      throw Error(fmt::format("--device: {} stands for itself, not in a list", name));
    if (cpu_threads(name))
      throw Error(
          fmt::format("--device: {} in a list: other devices at work would change its times; "
                      "give a CPU alone",
                      name));
    const std::optional<NamedGpu> gpu = named_gpu(name);
    if (!gpu) continue;
    const std::string whole = fmt::format("{}:{}", gpu->maker->kind.device, gpu->ordinal);
    if (std::find(gpus.begin(), gpus.end(), whole) != gpus.end())
      throw Error(fmt::format("--device: {} is there twice", whole));
    gpus.push_back(whole);
  }
}

}  // namespace

std::vector<std::string> device_names(const std::string& text) {
  if (text == "all") return gpu_names();
  std::vector<std::string> names;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t end = std::min(text.find(',', first), text.size());
    names.push_back(text.substr(first, end - first));
    first = end + 1;
  }
  if (names.size() > 1) check_together(names);
  return names;
}

std::unique_ptr<Device> open_device(const std::string& name) {
  std::unique_ptr<Device> device = open_unchecked_device(name);
  if (name != "auto") check_device(*device);
  return device;
}

std::unique_ptr<Device> open_unchecked_device(const std::string& name) {
  prepare_temporary_folders();  // workers leave theirs to us
  if (name == "auto") return open_best_device();
  if (name == "emulated") return open_emulated_device(default_model);
  if (name.starts_with("emulated:")) return open_emulated_device(name.substr(9));
  if (const std::optional<NamedGpu> gpu = named_gpu(name))
    return open_gpu_worker(*gpu, worker_limits());
  if (const std::optional<int> threads = cpu_threads(name)) return open_cpu_worker(*threads);
  throw Error(ExitCode::bad_input,
              fmt::format("no device is called \"{}\": auto, cuda[:N], hip[:N], cpu[:N] or "
                          "emulated[:GPU] are, and `alphasparse devices` lists them",
                          name));
}

Target target_of_device(const std::string& name) {
  if (name == "auto") return first_gpu() ? Target::gpu : Target::cpu;
  return name == "cpu" || name.starts_with("cpu:") ? Target::cpu : Target::gpu;
}

Dialect dialect_of_device(const std::string& name) {
  const std::optional<NamedGpu> gpu = name == "auto" ? first_gpu() : named_gpu(name);
  if (gpu) return gpu->maker->dialect;
  const GpuModel* const model =
      name.starts_with("emulated:") ? find_gpu_model(name.substr(9)) : nullptr;
  return model ? find_dialect(model->arch) : Dialect::cuda;
}

std::vector<DeviceListing> list_devices() {
  std::vector<DeviceListing> listings = gpu_listings();
  listings.push_back(cpu_listing());
  try {
    for (DeviceListing& listing : emulated_listings()) listings.push_back(std::move(listing));
  } catch (const std::exception& error) {
    listings.push_back(unavailable("emulated", error));
  }
  return listings;
}

}  // namespace alphasparse
