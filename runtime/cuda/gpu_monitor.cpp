#include "runtime/cuda/gpu_monitor.h"

#include <fmt/format.h>

#include <cstdlib>
#include <vector>

namespace alphasparse {

namespace {

constexpr int success = 0;
constexpr int insufficient_size = 7;
constexpr int clock_of_multiprocessors = 1;  // NVML_CLOCK_SM

struct Reason {
  unsigned long long bit;
  const char* text;
  bool is_emergency;
};

// nvmlClocksEventReason*, ThrottleReason before R535: idle (1), clocks set (2, 0x100) and sync
// boost (0x10) are left out.
constexpr Reason reasons_told[] = {
    {0x04, "power cap", false},      {0x08, "hardware slowdown", true}, {0x20, "heat", true},
    {0x40, "heat (hardware)", true}, {0x80, "power brake", true},
};

std::vector<std::string> library_names() {
  const char* const path = std::getenv("ALPHASPARSE_LIBNVML");
  if (path != nullptr && *path != '\0') return {path};
  return {"libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1"};
}

}  // namespace

std::string slowed_text(unsigned long long reasons, bool shared) {
  std::string text = shared ? "another process on the GPU" : "";
  for (const Reason& reason : reasons_told) {
    if ((reasons & reason.bit) == 0) continue;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", reason.text);
  }
  return text;
}

bool is_emergency(unsigned long long reasons) {
  for (const Reason& reason : reasons_told) {
    if (reason.is_emergency && (reasons & reason.bit) != 0) return true;
  }
  return false;
}

Result<GpuMonitor> GpuMonitor::open(const std::string& bus_id) {
  Result<DynamicLibrary> library = DynamicLibrary::open(library_names());
  if (!library) return library.failure();
  Api api;
  if (!library->load(api.init, "nvmlInit_v2") ||
      !library->load(api.device_at, "nvmlDeviceGetHandleByPciBusId_v2") ||
      !library->load(api.clock, "nvmlDeviceGetClockInfo") ||
      !library->load(api.clock_max, "nvmlDeviceGetMaxClockInfo") ||
      (!library->load(api.slowed, "nvmlDeviceGetCurrentClocksEventReasons") &&
       !library->load(api.slowed, "nvmlDeviceGetCurrentClocksThrottleReasons"))) {
    return Failure{Status::launch_error, fmt::format("{} lacks functions", library->name())};
  }
  for (const char* const version : {"_v3", "_v2", ""}) {
    const std::string name = std::string("nvmlDeviceGetComputeRunningProcesses") + version;
    if (library->load(api.processes, name.c_str())) break;
  }
  GpuMonitor monitor(std::move(*library), api);
  int code = api.init();
  if (code == success) code = api.device_at(bus_id.c_str(), &monitor.device_);
  if (code != success) {
    return Failure{Status::launch_error, fmt::format("NVML answers {} for GPU {}", code, bus_id)};
  }
  unsigned mhz = 0;
  if (api.clock_max(monitor.device_, clock_of_multiprocessors, &mhz) == success) {
    monitor.sm_mhz_max_ = static_cast<int>(mhz);
  }
  return monitor;
}

GpuState GpuMonitor::state() const {
  GpuState state;
  unsigned mhz = 0;
  if (api_.clock(device_, clock_of_multiprocessors, &mhz) == success) {
    state.sm_mhz = static_cast<int>(mhz);
  }
  if (api_.slowed(device_, &state.slowed) != success) state.slowed = 0;
  if (api_.processes == nullptr) return state;
  unsigned count = 0;
  if (api_.processes(device_, &count, nullptr) == insufficient_size) state.processes = count;
  return state;
}

}  // namespace alphasparse
