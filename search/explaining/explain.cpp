#include "search/explaining/explain.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace alphasparse {

namespace {

/// The designs without a known outcome, each once; at most so many.
Designs unknown_designs(const std::vector<Reversion>& reversions, const Outcomes& outcomes,
                        std::size_t most) {
  Designs designs;
  for (const Reversion& reversion : reversions) {
    if (designs.size() == most) break;
    if (!reversion.design || outcomes.contains(reversion.design->text())) continue;
    if (std::find(designs.begin(), designs.end(), *reversion.design) == designs.end())
      designs.push_back(*reversion.design);
  }
  return designs;
}

/// Legal ones without a time come behind those with one, and others last.
double rank(const Reverted& reverted) {
  if (reverted.outcome && reverted.outcome->timing) return reverted.outcome->timing->time_us;
  return reverted.reversion.design ? -1 : -2;
}

std::vector<Reverted> ranked(const std::vector<Reversion>& reversions, const Outcomes& outcomes) {
  std::vector<Reverted> steps;
  for (const Reversion& reversion : reversions) {
    Reverted& reverted = steps.emplace_back(Reverted{reversion, std::nullopt});
    if (!reversion.design) continue;
    const auto known = outcomes.find(reversion.design->text());
    if (known != outcomes.end()) reverted.outcome = known->second;
  }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Reverted& a, const Reverted& b) { return rank(a) > rank(b); });
  return steps;
}

}  // namespace

Explanation explain(const SearchSpace& space, KnownDesigns& known, const CanonicalDesign* reference,
                    Outcomes& outcomes, const TryDesigns& try_designs, const Deadline& deadline,
                    std::size_t designs_max) {
  Explanation result;
  std::size_t left = designs_max;
  for (;;) {
    const Measurement* const best = find_best(outcomes);
    const CanonicalDesign* const winner = best ? known.find(best->design) : nullptr;
    if (!winner) return result;
    result.design = winner->text();
    const auto found = reversions(space, *winner, reference, deadline);
    const Designs unknown = unknown_designs(found, outcomes, left);
    if (!unknown.empty() && !deadline.over()) try_designs(unknown);
    for (const CanonicalDesign& design : unknown) {
      known.add(design);
      result.tried += outcomes.contains(design.text());
    }
    left -= unknown.size();
    const Measurement* const now = find_best(outcomes);
    if (now->design == result.design || deadline.over()) {
      result.steps = ranked(found, outcomes);
      return result;
    }
    result.beaten.push_back(result.design);
  }
}

const Measurement* best_of_other_structure(const Outcomes& outcomes, const std::string& design) {
  KnownDesigns known;
  const std::string& structure = known.find_structure(design);
  Outcomes others;
  for (const auto& [text, outcome] : outcomes) {
    if (known.find_structure(text) != structure) others.emplace(text, outcome);
  }
  const Measurement* const best = find_best(others);
  return best ? &outcomes.find(best->design)->second : nullptr;
}

std::string reason_class(std::string_view reason) {
  reason = reason.substr(0, reason.find_first_of(";\n"));
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string text;
  for (std::size_t i = 0; i < reason.size();) {
    if (!is_digit(reason[i]) || (i > 0 && in_name(reason[i - 1]))) {
      text += reason[i++];
      continue;
    }
    const auto goes_on = [&](std::size_t at) {  // "1.5", but not the point behind a sentence
      return at < reason.size() &&
             (is_digit(reason[at]) ||
              (reason[at] == '.' && at + 1 < reason.size() && is_digit(reason[at + 1])));
    };
    while (goes_on(i)) ++i;
    text += 'N';
  }
  return text;
}

std::vector<PrunedClass> pruned_classes(const Outcomes& outcomes) {
  std::map<std::string, PrunedClass> by_reason;
  for (const auto& [design, outcome] : outcomes) {
    if (outcome.status != Status::pruned) continue;
    const std::string reason = reason_class(outcome.reason);
    PrunedClass& one =
        by_reason.try_emplace(reason, PrunedClass{reason, 0, outcome.reason}).first->second;
    ++one.designs;
  }
  std::vector<PrunedClass> classes;
  for (auto& [reason, one] : by_reason) classes.push_back(std::move(one));
  std::stable_sort(classes.begin(), classes.end(), [](const PrunedClass& a, const PrunedClass& b) {
    return a.designs > b.designs;
  });
  return classes;
}

std::vector<std::pair<std::string_view, double>> limit_list(const ModelledLimits& limits) {
  return {{"launch floor", limits.launch_us},
          {"dram", limits.dram_us},
          {"l2", limits.l2_us},
          {"lsu", limits.lsu_us},
          {"issue", limits.issue_us},
          {"atomics", limits.atomics_us},
          {"longest warp", limits.longest_warp_us},
          {"queue", limits.queue_us}};
}

std::vector<std::pair<std::string_view, double>> longest_limits(const ModelledLimits& limits) {
  auto list = limit_list(limits);
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return list;
}

}  // namespace alphasparse
