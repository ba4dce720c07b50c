// simulate: the output of `alphasparse simulate`, as text and as JSON (report.h states the rules
// for the JSON of every command).
#pragma once
#include <string>
#include <vector>

#include "search/evaluation/simulation.h"

namespace alphasparse {

struct SimulateReport {
  std::string corpus;
  SimulationPlan plan;
  std::vector<SimulatedMatrix> matrices;
  std::vector<DeviceInfo> devices;  ///< of each of them
  std::int64_t added = 0;           ///< outcomes that this call has recorded
};

std::string simulate_text(const SimulateReport& report);
std::string simulate_json(const SimulateReport& report);

}  // namespace alphasparse
