#include "tools/reports/hardware.h"

namespace alphasparse {

namespace {

/// Properties that the driver reports; null where it does not.
nlohmann::ordered_json reported_json(const DeviceInfo& device) {
  const auto known = [](auto value) {
    return value > 0 ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
  };
  const GpuProperties& gpu = device.reported;
  return {{"multiprocessors", known(gpu.multiprocessors)},
          {"sm_mhz", known(gpu.sm_mhz)},
          {"memory_mhz", known(gpu.memory_mhz)},
          {"memory_bus_bits", known(gpu.memory_bus_bits)},
          {"dram_gb_per_s", known(device.dram_gb_per_s)},
          {"l2_bytes", known(device.l2_bytes)},
          {"shared_bytes_a_multiprocessor", known(gpu.shared_bytes_a_multiprocessor)}};
}

}  // namespace

nlohmann::ordered_json hardware_json(const DeviceInfo& device) {
  using Json = nlohmann::ordered_json;
  if (device.target == Target::gpu) {
    Json gpu = {{"name", device.gpu}, {"arch", device.arch}, {"version", device.version}};
    if (device.kind == TimeKind::measured) gpu["reported"] = reported_json(device);
    return {{"gpu", std::move(gpu)}};
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
