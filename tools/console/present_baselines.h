// present_baselines: the libraries that a device has beside our kernels, as the head of an emitted
// file names them.
#pragma once
#include <string>

#include "runtime/device/device.h"

namespace alphasparse {

/// "baselines here: a plain loop, Eigen 3.4.0, MKL 2026.2.0". It depends on the machine alone,
/// never on times.
std::string present_baselines(const DeviceInfo& device);

}  // namespace alphasparse
