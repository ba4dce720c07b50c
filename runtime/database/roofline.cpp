// roofline: the rates of a device's memory, kept so that a machine measures them once.
#include "runtime/device/roofline.h"

#include <cmath>

#include "runtime/database/database.h"
#include "runtime/database/rows.h"

namespace alphasparse {

std::optional<Roofline> Database::roofline(const DeviceInfo& device) {
  SqlStatement row(state_->sqlite,
                   "SELECT copy_gb_per_s, read_gb_per_s, gather_l2_per_ns, gather_dram_per_ns, "
                   "empty_warm_us, empty_cold_us FROM roofline WHERE machine = ?1 AND device = ?2");
  if (!row.bind(state_->machine, device_key(device)).step()) return std::nullopt;
  Roofline roofline;
  double* const rates[] = {&roofline.copy_gb_per_s,    &roofline.read_gb_per_s,
                           &roofline.gather_l2_per_ns, &roofline.gather_dram_per_ns,
                           &roofline.empty_warm_us,    &roofline.empty_cold_us};
  int column = 0;
  for (double* const rate : rates) {
    *rate = row.real(column++);
    if (!std::isfinite(*rate) || *rate <= 0) return std::nullopt;  // no program has kept that
  }
  return roofline;
}

void Database::keep_roofline(const DeviceInfo& device, const Roofline& roofline) {
  if (state_->machine.empty()) state_->machine = read_machine(state_->sqlite);
  state_->sqlite.run("INSERT OR REPLACE INTO roofline VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9)",
                     state_->machine, device_key(device), roofline.copy_gb_per_s,
                     roofline.read_gb_per_s, roofline.gather_l2_per_ns, roofline.gather_dram_per_ns,
                     roofline.empty_warm_us, roofline.empty_cold_us, utc_now());
}

}  // namespace alphasparse
