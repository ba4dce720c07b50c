// device: the processor at hand, as a device that measures.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "runtime/device/device.h"

namespace alphasparse {

/// A device of so many threads; 0: all cores that we may use. Its name says how many: "cpu:2".
/// Throws Error (exit 4) where g++ is missing, or (exit 2) where there are fewer cores. Belongs
/// into a worker.
std::unique_ptr<Device> open_cpu_device(int threads);

/// The facts of such a device, without opening it. Throws likewise.
DeviceInfo cpu_device_info(int threads);

/// A device of the given facts, with any number of cores; kernels get these flags of g++ beside the
/// usual.
std::unique_ptr<Device> open_cpu_device(const DeviceInfo& info,
                                        const std::vector<std::string>& flags);

/// Has the kernel compiled anew, even if the cache holds it: another processor may have been meant.
void forget_cpu_code(const Kernel& kernel, const DeviceInfo& info);

}  // namespace alphasparse
