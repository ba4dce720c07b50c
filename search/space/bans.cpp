#include "search/space/bans.h"

#include <fmt/format.h>

#include <algorithm>

#include "operators/design.h"

namespace alphasparse {

namespace {

constexpr int crashes_max = 2;

void drop_parameters(Design& design) {
  for (Step& step : design.steps) {
    step.parameters.clear();
    for (Design& branch : step.branches) drop_parameters(branch);
  }
}

/// The structure has crashed the device too often.
std::optional<std::string> crashes_often(const Outcomes& outcomes, const std::string& design) {
  const auto is_crash = [](const auto& entry) { return entry.second.status == Status::crash; };
  if (std::count_if(outcomes.begin(), outcomes.end(), is_crash) < crashes_max) return std::nullopt;
  const std::string structure = structure_of(design);
  int crashes = 0;
  for (const auto& [other, outcome] : outcomes) {
    if (outcome.status != Status::crash || structure_of(other) != structure) continue;
    if (++crashes == crashes_max) {
      return fmt::format("designs of its structure have crashed the device {} times", crashes);
    }
  }
  return std::nullopt;
}

}  // namespace

std::string structure_of(const std::string& design) {
  Result<Design> parsed = parse_design(design);
  if (!parsed) return design;
  drop_parameters(*parsed);
  return print_design(*parsed);
}

std::optional<std::string> ban_reason(const Outcomes& outcomes, const std::string& design) {
  return crashes_often(outcomes, design);
}

}  // namespace alphasparse
