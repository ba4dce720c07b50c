// cpu_roofline: what the memory of this machine gives to so many of its threads.
#pragma once
#include "runtime/device/roofline.h"

namespace alphasparse {

/// As measure_roofline, by kernels for CPUs: caches stand for L2, and a gathered sector is a line
/// of 64 bytes.
Result<Roofline> measure_cpu_roofline(Device& device);

}  // namespace alphasparse
