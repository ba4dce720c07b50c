#include "tools/reports/hardware.h"

namespace alphasparse {

nlohmann::ordered_json hardware_json(const DeviceInfo& device) {
  using Json = nlohmann::ordered_json;
  if (device.target == Target::cuda) {
    return {{"gpu", {{"name", device.gpu}, {"arch", device.arch}, {"version", device.version}}}};
  }
  const std::size_t flags = device.compiler.find(" -");
  const bool known = flags != std::string::npos;
  const Json threads = device.threads > 0 ? Json(device.threads) : Json();
  return {{"gpu", nullptr},
          {"processor",
           {{"name", device.gpu},
            {"isa", device.arch},
            {"threads", threads},
            {"compiler", known ? Json(device.compiler.substr(0, flags)) : Json()},
            {"flags", known ? Json(device.compiler.substr(flags + 1)) : Json()},
            {"version", device.version}}}};
}

}  // namespace alphasparse
