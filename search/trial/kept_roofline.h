// kept_roofline: the rates that memory gives to a device, measured once on a machine.
#pragma once
#include "runtime/database/database.h"
#include "runtime/device/roofline.h"

namespace alphasparse {

/// The roofline of a GPU from the database, where this machine has measured it with this driver;
/// else, or `anew`, it is measured and kept. For a CPU it is always measured: other work moves it.
/// Without a database, or with one that cannot be written, it is measured. Fails as
/// measure_roofline() does.
Result<Roofline> kept_roofline(Device& device, std::optional<Database>& database,
                               bool anew = false);

/// The user's database, for the figures that kept_roofline() keeps of this device. Nothing where
/// there are none to keep, or no database can be opened.
std::optional<Database> roofline_database(const DeviceInfo& device);

}  // namespace alphasparse
