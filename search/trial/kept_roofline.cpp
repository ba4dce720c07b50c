#include "search/trial/kept_roofline.h"

#include <spdlog/spdlog.h>

namespace alphasparse {

namespace {

/// Whether the rates of memory stay the same from one run to the next.
bool is_kept(const DeviceInfo& device) {
  return device.target == Target::gpu && device.kind == TimeKind::measured;
}

}  // namespace

Result<Roofline> kept_roofline(Device& device, std::optional<Database>& database, bool anew) {
  if (!database || !is_kept(device.info())) return measure_roofline(device);
  const std::optional<Roofline> known = anew ? std::nullopt : database->roofline(device.info());
  if (known) return *known;
  Result<Roofline> measured = measure_roofline(device);
  if (!measured) return measured;
  try {
    database->keep_roofline(device.info(), *measured);
  } catch (const Error& error) {
    spdlog::warn("the rates of memory are not kept: {}", error.what());
  }
  return measured;
}

std::optional<Database> roofline_database(const DeviceInfo& device) {
  if (!is_kept(device)) return std::nullopt;
  try {
    return Database::open(database_path(""));
  } catch (const Error& error) {
    spdlog::warn("the rates of memory are not kept: {}", error.what());
    return std::nullopt;
  }
}

}  // namespace alphasparse
