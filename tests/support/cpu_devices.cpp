#include "tests/support/cpu_devices.h"

#include "runtime/cpu/device.h"
#include "runtime/worker/device.h"
#include "tests/support/cpu_designs.h"

namespace alphasparse {

std::unique_ptr<Device> cpu_device_of(int threads, int vector_bytes,
                                      const std::vector<std::string>& more) {
  DeviceInfo info = cpu_device_info(1);
  info.threads = threads;
  info.name = "cpu:" + std::to_string(threads);
  std::vector<std::string> flags = warnings_as_errors();
  flags.insert(flags.end(), {"-O1", "-DALPHASPARSE_VECTOR_BYTES=" + std::to_string(vector_bytes)});
  flags.insert(flags.end(), more.begin(), more.end());
  return open_worker_device([=] { return open_cpu_device(info, flags); });
}

}  // namespace alphasparse
