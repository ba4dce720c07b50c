// hardware: the parts of a device, for every place where they stand in JSON.
#pragma once
#include <nlohmann/json.hpp>

#include "runtime/device/device.h"

namespace alphasparse {

/// "gpu": name, arch and version; of a CPU null, and then "processor": name, isa, threads,
/// compiler, flags and version, as far as they are known.
nlohmann::ordered_json hardware_json(const DeviceInfo& device);

}  // namespace alphasparse
