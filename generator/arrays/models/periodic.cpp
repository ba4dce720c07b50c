// periodic: a * (j / p) + c * (j % p) + b, where j is the index, perhaps shifted.
//
//   periodic linear    0 2 4 0 2 4 0 2 4     a = 0, c = 2, p = 3
//   periodic increase  5 5 5 9 9 9 13 13     a = 4, c = 0, p = 3
//   both               0 1 2 10 11 12 20     a = 10, c = 1, p = 3
//
// Inside a period all steps are equal; a period begins where the step is another one.
#include "generator/arrays/model_kinds.h"

namespace alphasparse {

namespace {

constexpr std::size_t breaks_max = 1024;  // enough to guess by

/// The first places where the step from the entry before is not `step`.
std::vector<std::int64_t> find_breaks(const Integers& entries, std::int64_t step) {
  std::vector<std::int64_t> breaks;
  for (std::size_t i = 1; i < entries.size() && breaks.size() < breaks_max; ++i) {
    if (std::int64_t{entries[i]} - entries[i - 1] != step) {
      breaks.push_back(static_cast<std::int64_t>(i));
    }
  }
  return breaks;
}

}  // namespace

std::vector<Proposal> periodic_models(const Integers& entries) {
  const std::int64_t step = usual_step(entries);
  const std::vector<std::int64_t> breaks = find_breaks(entries, step);
  if (breaks.size() < 2) return {};
  std::vector<std::int64_t> gaps, phases, rises;
  for (std::size_t i = 1; i < breaks.size(); ++i) gaps.push_back(breaks[i] - breaks[i - 1]);
  const std::int64_t period = most_frequent(std::move(gaps));
  if (period < 2 || 3 * period > static_cast<std::int64_t>(entries.size())) return {};
  for (const std::int64_t at : breaks) {
    phases.push_back(at % period);
    if (at + period < static_cast<std::int64_t>(entries.size())) {
      rises.push_back(std::int64_t{entries[at + period]} - entries[at]);
    }
  }
  const std::int64_t shift = (period - most_frequent(std::move(phases))) % period;
  const std::int64_t rise = most_frequent(std::move(rises));
  const Expression index = the_index() + constant(shift);
  const Expression entry =
      constant(rise) * (index / constant(period)) + constant(step) * (index % constant(period));
  const char* const name = rise == 0   ? "periodic linear"
                           : step == 0 ? "periodic increase"
                                       : "periodic linear with an increase";
  return {{name, set_level(entry, entries)}};
}

}  // namespace alphasparse
