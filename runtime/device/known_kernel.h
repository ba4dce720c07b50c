// known_kernel: one small kernel that is right, which shows whether a device works.
//
// It goes the way of all kernels - the same folder, compiler, process and thread - but past the
// cache of compiled ones. A device is opened with it, and after a fault it tells whether the fault
// has passed. Only then can a failure be the design's.
#pragma once
#include <memory>
#include <string>

#include "generator/arrays/kernel.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// y = alpha * A * x + beta * y of a matrix of 70 rows, for that target.
Kernel known_kernel(Target target);

bool is_known_kernel(const Kernel& kernel);

/// Compiles, loads, runs and times it. Throws an Error (exit 4) that names the device, the cause
/// and the remedy where any of that fails, or where its result is wrong. Waits without a deadline,
/// and leaves the device so.
void check_device(Device& device);

/// Opens as open_device does, but does not check the device, "auto" apart. It is for callers that
/// check it while something else is done, or have no use for the check.
std::unique_ptr<Device> open_unchecked_device(const std::string& name);

}  // namespace alphasparse
