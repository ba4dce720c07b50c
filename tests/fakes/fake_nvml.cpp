// fake_nvml: a fake of NVIDIA's management library, which reports the test's values for the "GPU"
// of fake_cuda.
#include <cstring>

#include "tests/fakes/fake_cuda.h"

extern "C" {

int nvmlInit_v2() { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, void** device) {
  *device = fake_cuda();
  return std::strcmp(bus_id, "0000:3b:00.0") == 0 ? 0 : 6;
}
int nvmlDeviceGetClockInfo(void*, int kind, unsigned* mhz) {
  *mhz = fake_cuda()->sm_mhz();
  return kind == 1 ? 0 : 2;
}
int nvmlDeviceGetMaxClockInfo(void*, int kind, unsigned* mhz) {
  *mhz = 1980;
  return kind == 1 ? 0 : 2;
}
int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* reasons) {
  *reasons = fake_cuda()->slowed;
  return 0;
}
/// The older name, as a driver answers that knows it no more.
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long*) { return 3; }
/// A caller that has no room is told the number.
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, void*) {
  const bool fits = *count >= fake_cuda()->processes;
  *count = fake_cuda()->processes;
  return fits ? 0 : 7;
}
}
