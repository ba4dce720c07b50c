// cpu_devices: the processor at hand as devices of tests, with any number of threads and registers
// of any width.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "runtime/device/device.h"

namespace alphasparse {

/// A device of so many threads, on any number of cores, and registers of so many bytes: g++ splits
/// those that this processor does not have. Kernels with warnings do not compile. `more` are flags
/// of g++ behind the others.
std::unique_ptr<Device> cpu_device_of(int threads, int vector_bytes,
                                      const std::vector<std::string>& more = {});

}  // namespace alphasparse
