#include "search/trial/baseline_figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace alphasparse {

Measurement standing_of_baselines(Target target, const Measurement& alone,
                                  const Measurement& in_turn) {
  const bool is_comparable = target != Target::cpu && is_timed(alone) && is_timed(in_turn);
  if (!is_comparable || in_turn.timing->time_us <= alone.timing->time_us) return in_turn;
  Measurement stands = alone;
  add_note(*stands.timing, fmt::format("in turn {:.4g} us", in_turn.timing->time_us));
  stands.created_at = in_turn.created_at;
  return stands;
}

BaselineCount count_baselines(const std::vector<Baseline>& all,
                              const std::vector<const Measurement*>& outcomes) {
  BaselineCount count;
  for (const Baseline& algorithm : all) {
    ++count.all;
    const auto found =
        std::find_if(outcomes.begin(), outcomes.end(),
                     [&](const Measurement* outcome) { return outcome->design == algorithm.name; });
    if (found == outcomes.end()) continue;
    const bool is_there = find_missing(algorithm, (*found)->reason).empty();
    ++(is_there ? count.tried : count.missing);
  }
  return count;
}

LibraryFacts facts_of_library(std::string_view library,
                              const std::vector<const Measurement*>& outcomes) {
  for (const Measurement* const outcome : outcomes) {
    const Baseline* const algorithm = find_baseline(outcome->design);
    if (!algorithm || algorithm->library != library || !outcome->timing) continue;
    LibraryFacts facts = parse_library(outcome->timing->note);
    if (!facts.version.empty()) return facts;
  }
  return {};
}

}  // namespace alphasparse
