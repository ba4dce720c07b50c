// gpu_monitor: the clock at which a GPU runs and the cause that holds it down. NVIDIA's management
// library (NVML) tells both; it comes with the driver and is loaded where it is found.
//
// Source of prototypes and numbers: the NVML API reference (nvml.h), unchanged since R418.
#pragma once
#include <string>

#include "base/result.h"
#include "runtime/system/processes/dynamic_library.h"

namespace alphasparse {

/// A GPU at one moment.
struct GpuState {
  int sm_mhz = -1;                ///< of its multiprocessors; -1 where it does not tell
  unsigned long long slowed = 0;  ///< NVML's reasons for a clock below the highest, a bit each
  unsigned processes = 0;         ///< that compute on it, ours among them; 0 where it does not tell
};

/// The reasons that a person should know of, as words between commas: "power cap, heat". An idle
/// GPU, or clocks that a user has set, are none. `shared`: with another process.
std::string slowed_text(unsigned long long reasons, bool shared = false);

/// Whether they mean that the GPU had to slow down at once, for its own protection.
bool is_emergency(unsigned long long reasons);

class GpuMonitor {
 public:
  /// The GPU at `bus_id` ("0000:3b:00.0"). ALPHASPARSE_LIBNVML names another library. A Failure
  /// names the missing part.
  static Result<GpuMonitor> open(const std::string& bus_id);

  GpuState state() const;

  int sm_mhz_max() const { return sm_mhz_max_; }  ///< that it can reach; -1 where it does not tell

 private:
  struct Api {
    int (*init)() = nullptr;                                             ///< nvmlInit_v2
    int (*device_at)(const char* bus_id, void** device) = nullptr;       ///< ..ByPciBusId_v2
    int (*clock)(void* device, int kind, unsigned* mhz) = nullptr;       ///< nvmlDeviceGetClockInfo
    int (*clock_max)(void* device, int kind, unsigned* mhz) = nullptr;   ///< ..GetMaxClockInfo
    int (*slowed)(void* device, unsigned long long* reasons) = nullptr;  ///< ..EventReasons
    /// nvmlDeviceGetComputeRunningProcesses; without room it gives the number alone. May be null.
    int (*processes)(void* device, unsigned* count, void* infos) = nullptr;
  };

  GpuMonitor(DynamicLibrary library, const Api& api) : library_(std::move(library)), api_(api) {}

  DynamicLibrary library_;
  Api api_;
  void* device_ = nullptr;
  int sm_mhz_max_ = -1;
};

}  // namespace alphasparse
