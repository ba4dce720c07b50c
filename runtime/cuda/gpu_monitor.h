// gpu_monitor: the clock at which a GPU runs and the cause that holds it down. NVIDIA's management
// library (NVML) tells both; it comes with the driver and is loaded where it is found.
//
// Source of prototypes and numbers: the NVML API reference (nvml.h), unchanged since R418.
#pragma once
#include <string>

#include "base/result.h"
#include "runtime/gpu/state.h"
#include "runtime/system/processes/dynamic_library.h"

namespace alphasparse {

/// The use of a GPU by one process in one sample: nvmlProcessUtilizationSample_t.
struct ProcessUse {
  unsigned process;  ///< of the host's numbers, which a container does not know
  unsigned long long time;
  unsigned sm_percent, memory_percent, encoder_percent, decoder_percent;
};

class NvmlMonitor {
 public:
  /// The GPU at `bus_id` ("0000:3b:00.0"). ALPHASPARSE_LIBNVML names another library. A Failure
  /// names the missing part.
  static Result<NvmlMonitor> open(const std::string& bus_id);

  /// Use by others counts from the last call of it on.
  GpuState state();

 private:
  struct Api {
    int (*init)() = nullptr;                                             ///< nvmlInit_v2
    int (*device_at)(const char* bus_id, void** device) = nullptr;       ///< ..ByPciBusId_v2
    int (*clock)(void* device, int kind, unsigned* mhz) = nullptr;       ///< nvmlDeviceGetClockInfo
    int (*slowed)(void* device, unsigned long long* reasons) = nullptr;  ///< ..EventReasons
    /// nvmlDeviceGetProcessUtilization: of each process and sample since a time. May be null.
    int (*use)(void* device, ProcessUse* uses, unsigned* count, unsigned long long since) = nullptr;
  };

  NvmlMonitor(DynamicLibrary library, const Api& api) : library_(std::move(library)), api_(api) {}

  DynamicLibrary library_;
  Api api_;
  bool others_use_it();

  void* device_ = nullptr;
  unsigned long long seen_ = 0;  ///< the time of the last sample of use
};

}  // namespace alphasparse
