// device: kernels on a GPU of AMD that is here. It has run on no hardware yet:
// tests/runtime/hip runs it against a fake of the driver.
#pragma once
#include <memory>
#include <vector>

#include "runtime/gpu/device.h"

namespace alphasparse {

/// Opens GPU `ordinal`, compiling with hiprtc. Throws Error (exit 4) where the driver, the GPU or a
/// hiprtc that knows the GPU is missing.
std::unique_ptr<Device> open_hip_device(int ordinal);

/// The same with another compiler, used as it is: its name and version stay empty.
std::unique_ptr<Device> open_hip_device(int ordinal, CompileFunction compile);

/// One line a GPU, or a single unavailable "hip" that names the missing part.
std::vector<DeviceListing> list_hip_devices();

}  // namespace alphasparse
