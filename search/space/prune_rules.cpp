#include "search/space/prune_rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace alphasparse {

namespace {

constexpr int crashes_max = 2;

}  // namespace

std::optional<std::string> prune_reason(const Outcomes& outcomes, KnownDesigns& known,
                                        const CanonicalDesign& design) {
  const auto is_crash = [](const auto& entry) { return entry.second.status == Status::crash; };
  if (std::count_if(outcomes.begin(), outcomes.end(), is_crash) < crashes_max) return std::nullopt;
  int crashes = 0;
  for (const auto& [other, outcome] : outcomes) {
    if (outcome.status != Status::crash || known.find_structure(other) != design.structure())
      continue;
    if (++crashes == crashes_max) {
      return fmt::format("designs of its structure have crashed the device {} times", crashes);
    }
  }
  return std::nullopt;
}

}  // namespace alphasparse
