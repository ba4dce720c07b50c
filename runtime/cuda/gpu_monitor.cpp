#include "runtime/cuda/gpu_monitor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

namespace alphasparse {

namespace {

constexpr int success = 0;
constexpr int clock_of_multiprocessors = 1;  // NVML_CLOCK_SM

std::vector<std::string> library_names() {
  const char* const path = std::getenv("ALPHASPARSE_LIBNVML");
  if (path != nullptr && *path != '\0') return {path};
  return {"libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1"};
}

}  // namespace

Result<NvmlMonitor> NvmlMonitor::open(const std::string& bus_id) {
  Result<DynamicLibrary> library = DynamicLibrary::open(library_names());
  if (!library) return library.failure();
  Api api;
  if (!library->load(api.init, "nvmlInit_v2") ||
      !library->load(api.device_at, "nvmlDeviceGetHandleByPciBusId_v2") ||
      !library->load(api.clock, "nvmlDeviceGetClockInfo") ||
      (!library->load(api.slowed, "nvmlDeviceGetCurrentClocksEventReasons") &&
       !library->load(api.slowed, "nvmlDeviceGetCurrentClocksThrottleReasons"))) {
    return Failure{Status::launch_error, fmt::format("{} lacks functions", library->name())};
  }
  library->load(api.use, "nvmlDeviceGetProcessUtilization");
  NvmlMonitor monitor(std::move(*library), api);
  int code = api.init();
  if (code == success) code = api.device_at(bus_id.c_str(), &monitor.device_);
  if (code != success) {
    return Failure{Status::launch_error, fmt::format("NVML answers {} for GPU {}", code, bus_id)};
  }
  return monitor;
}

/// Ours is one of those that have used it, unless it is seen by its number.
bool NvmlMonitor::others_use_it() {
  unsigned count = 0;
  if (api_.use == nullptr) return false;
  (void)api_.use(device_, nullptr, &count, seen_);  // tells the number
  std::vector<ProcessUse> uses(count);
  if (count == 0 || api_.use(device_, uses.data(), &count, seen_) != success) return false;
  uses.resize(std::min<std::size_t>(count, uses.size()));
  const auto own = static_cast<unsigned>(getpid());
  bool is_seen = false;
  std::set<unsigned> users;
  for (const ProcessUse& use : uses) {
    seen_ = std::max(seen_, use.time);
    is_seen = is_seen || use.process == own;
    if (use.sm_percent > 0 && use.process != own) users.insert(use.process);
  }
  return users.size() > (is_seen ? 0 : 1);
}

GpuState NvmlMonitor::state() {
  GpuState state;
  unsigned mhz = 0;
  if (api_.clock(device_, clock_of_multiprocessors, &mhz) == success) {
    state.sm_mhz = static_cast<int>(mhz);
  }
  if (api_.slowed(device_, &state.slowed) != success) state.slowed = 0;
  state.shared = others_use_it();
  return state;
}

}  // namespace alphasparse
