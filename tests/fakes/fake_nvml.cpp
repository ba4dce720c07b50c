// fake_nvml: a fake of NVIDIA's management library, which reports the test's values for the "GPU"
// of the fakes.
#include <cstring>

#include "runtime/cuda/gpu_monitor.h"
#include "tests/fakes/fake_gpu_state.h"

using alphasparse::ProcessUse;

extern "C" {

int nvmlInit_v2() { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, void** device) {
  *device = fake_gpu();
  return std::strcmp(bus_id, "0000:3b:00.0") == 0 ? 0 : 6;
}
int nvmlDeviceGetClockInfo(void*, int kind, unsigned* mhz) {
  *mhz = fake_gpu()->sm_mhz();
  return kind == 1 ? 0 : 2;
}
int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* reasons) {
  *reasons = fake_gpu()->slowed;
  return 0;
}
/// The older name, as a driver answers that knows it no more.
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long*) { return 3; }
/// A caller that has no room is told the number. Each call is of a sample of its own.
int nvmlDeviceGetProcessUtilization(void*, ProcessUse* uses, unsigned* count,
                                    unsigned long long since) {
  const auto& known = fake_gpu()->use;
  if (known.empty()) return 6;
  const bool fits = uses != nullptr && *count >= known.size();
  *count = static_cast<unsigned>(known.size());
  if (!fits) return 7;
  for (const auto& [process, percent] : known) *uses++ = {process, since + 1, percent, 0, 0, 0};
  return 0;
}
}
