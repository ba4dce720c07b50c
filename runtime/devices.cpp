// devices: device names, as --device takes them, to devices.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <optional>

#include "runtime/cpu/device.h"
#include "runtime/cuda/device.h"
#include "runtime/device/device.h"
#include "runtime/emulated/device.h"
#include "runtime/emulated/gpu_models.h"
#include "runtime/system/forked_task.h"
#include "runtime/system/temporary_folder.h"
#include "runtime/worker/device.h"

namespace alphasparse {
namespace {

constexpr const char* default_model = "h200";

/// "cuda" and "cuda:0" are 0, "cuda:12" is 12; nothing where `name` is no CUDA device's name.
std::optional<int> cuda_ordinal(std::string_view name) {
  if (name == "cuda") return 0;
  if (!name.starts_with("cuda:")) return std::nullopt;
  name.remove_prefix(5);
  int ordinal = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), ordinal);
  if (error != std::errc() || end != name.data() + name.size() || name[0] == '-') {
    return std::nullopt;
  }
  return ordinal;
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

/// A GPU belongs to a worker: what a kernel does to it is not done to us.
std::unique_ptr<Device> open_cuda_worker(int ordinal, const WorkerLimits& limits) {
  return open_worker_device([ordinal] { return open_cuda_device(ordinal); }, limits);
}

/// What a listing says of something that cannot even be asked.
DeviceListing unavailable(const std::string& name, const std::exception& error) {
  return {name, false, error.what()};
}

/// The names of all CUDA GPUs. A fork asks the driver: one that is initialised survives none.
std::vector<std::string> cuda_names() {
  ForkedTask asking([](const ForkedTask::Tell& tell) {
    for (const DeviceListing& listing : list_cuda_devices())
      tell((listing.available ? "+" + listing.name : "-" + listing.text));
  });
  std::vector<std::string> told;
  while (asking.hear(told)) {
  }
  std::string why = asking.how_it_ended();
  std::vector<std::string> names;
  for (const std::string& line : told) {
    if (line.front() == '+')
      names.push_back(line.substr(1));
    else if (why.empty())
      why = line.substr(1);
  }
  if (names.empty()) {
    throw Error(ExitCode::no_device,
                fmt::format("--device all: no CUDA GPU is here{}", why.empty() ? "" : ": " + why));
  }
  return names;
}

/// Throws where these cannot work side by side.
void check_together(const std::vector<std::string>& names) {
  std::vector<int> ordinals;
  for (const std::string& name : names) {
    if (name == "auto" || name == "all")
      throw Error(fmt::format("--device: {} stands for itself, not in a list", name));
    if (cpu_threads(name))
      throw Error(
          fmt::format("--device: {} in a list: what runs beside it would change its times; a CPU "
                      "is given alone",
                      name));
    const std::optional<int> ordinal = cuda_ordinal(name);
    if (!ordinal) continue;
    if (std::find(ordinals.begin(), ordinals.end(), *ordinal) != ordinals.end())
      throw Error(fmt::format("--device: cuda:{} is there twice", *ordinal));
    ordinals.push_back(*ordinal);
  }
}

}  // namespace

std::vector<std::string> device_names(const std::string& text) {
  if (text == "all") return cuda_names();
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
  prepare_temporary_folders();  // workers leave theirs to us
  if (name == "auto") {
    const WorkerLimits limits = worker_limits();  // what is wrong with them is no lack of a GPU
    try {
      return open_cuda_worker(0, limits);
    } catch (const Error&) {
      return open_emulated_device(default_model);
    }
  }
  if (name == "emulated") return open_emulated_device(default_model);
  if (name.starts_with("emulated:")) return open_emulated_device(name.substr(9));
  if (const std::optional<int> ordinal = cuda_ordinal(name)) {
    return open_cuda_worker(*ordinal, worker_limits());
  }
  if (const std::optional<int> threads = cpu_threads(name)) {
    return open_worker_device([count = *threads] { return open_cpu_device(count); },
                              worker_limits());
  }
  throw Error(ExitCode::bad_input,
              fmt::format("no device is called \"{}\": auto, cuda, cuda:N, cpu, cpu:N, emulated or "
                          "emulated:GPU are, and `alphasparse devices` lists them",
                          name));
}

Target target_of_device(const std::string& name) {
  return name == "cpu" || name.starts_with("cpu:") ? Target::cpu : Target::cuda;
}

std::vector<DeviceListing> list_devices() {
  std::vector<DeviceListing> listings;
  try {
    listings = list_cuda_devices();
  } catch (const std::exception& error) {
    listings.push_back(unavailable("cuda", error));
  }
  try {
    const DeviceInfo info = cpu_device_info(0);
    listings.push_back(
        {info.name, true,
         fmt::format("{}, {}, times are measured, {}", info.gpu, info.arch, info.compiler)});
  } catch (const std::exception& error) {
    listings.push_back(unavailable("cpu", error));
  }
  try {
    for (const GpuModel& model : gpu_models()) {
      const std::string name = "emulated:" + model.name;
      try {
        const DeviceInfo info = open_emulated_device(model.name)->info();
        listings.push_back({name, true,
                            fmt::format("model of {}, {}, times are modelled, {}", info.gpu,
                                        info.arch, info.version)});
      } catch (const std::exception& error) {
        listings.push_back(unavailable(name, error));
      }
    }
  } catch (const std::exception& error) {
    listings.push_back(unavailable("emulated", error));
  }
  return listings;
}

}  // namespace alphasparse
