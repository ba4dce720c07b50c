#include "search/strategies/refinements.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "operators/catalogue.h"
#include "operators/compact_passes.h"
#include "operators/parameter_grid.h"
#include "operators/targets.h"
#include "search/strategies/lists.h"

namespace alphasparse {

namespace {

constexpr std::size_t compacted_structures = 2;  // that are compacted before all grids

/// Values of the parameters columns, structure and values of `compact`; null: the default.
struct Passes {
  const char* columns;
  const char* structure;
  const char* values;
};

/// The optimizer's passes. On a GPU: the fewest bytes, arrays that the fewest instructions decode,
/// and deltas. A CPU has no instructions to spare: arrays that it loads as they are, and columns
/// that gangs find in runs.
const std::array<Passes, 3>& find_passes(Target target) {
  static constexpr std::array<Passes, 3> on_gpu = {
      {{nullptr, nullptr, nullptr}, {"narrow", "narrow", nullptr}, {"deltas", nullptr, nullptr}}};
  static constexpr std::array<Passes, 3> on_cpu = {
      {{"narrow", "narrow", "full"}, {"runs", "full", nullptr}, {"narrow", "narrow", "single"}}};
  return target == Target::cpu ? on_cpu : on_gpu;
}

CanonicalDesign canonical(const Design& design) { return CanonicalDesign::of(design).value(); }

/// The design with each of them.
Designs compacted(const CanonicalDesign& design, const SearchLimits& limits, Target target) {
  Designs designs;
  for (const Passes& passes : find_passes(target)) {
    Step step{"compact", {}, {}};
    if (passes.columns) set_parameter(step, "columns", passes.columns);
    if (passes.structure) set_parameter(step, "structure", passes.structure);
    if (passes.values) set_parameter(step, "values", passes.values);
    if (limits.values_vary) set_parameter(step, "values", "full");
    designs.push_back(canonical(with_compact(design.tree(), step)));
    if (!limits.may_round) continue;
    set_parameter(step, "values", "rounded");
    designs.push_back(canonical(with_compact(design.tree(), step)));
  }
  std::set<std::string> texts;
  std::erase_if(designs, [&](const auto& one) { return !texts.insert(one.text()).second; });
  return designs;
}

/// The design with gangs that read x by the hardware's gathers, or by loads where they did; nothing
/// where it has no gangs. Which are faster only a measurement tells.
std::optional<CanonicalDesign> with_other_gathers(Design design) {
  bool has_gathers = false;
  for_each_step(design, [&](Step& step) {
    if (step.op != "thread_total") return;
    const bool by_hardware = check_arguments(step)->text("gather") == "hardware";
    set_parameter(step, "gather", by_hardware ? "lanes" : "hardware");
    has_gathers = true;
  });
  if (!has_gathers) return std::nullopt;
  return canonical(design);
}

/// The design where threads with places of their own load so many entries at once, or values of a
/// dense block; nothing where it has none. Two or three words must agree, so other strategies
/// seldom arrive here.
std::optional<CanonicalDesign> with_wide_loads(Design design, const std::string& width) {
  Step *pad = nullptr, *interleave = nullptr;  // of the present chain
  bool in_bands = false, is_wide = false;
  for_each_step(design, [&](Step& step) {
    if (step.op == "thread_bands") in_bands = true;
    if (step.op == "thread_pad") pad = &step;
    if (step.op == "interleave") interleave = &step;
    if (interleave && (step.op == "thread_total" || step.op == "thread_bitmap")) {
      if (pad && !in_bands) set_parameter(*pad, "multiple", width);
      set_parameter(*interleave, "run", width);
      set_parameter(step, "vector", width);
      is_wide = true;
    }
    if (step.op == "launch") {
      pad = interleave = nullptr;
      in_bands = false;
    }
  });
  if (!is_wide) return std::nullopt;
  return canonical(design);
}

/// The design by one thread alone, and where it has branches, with only the last of them by one
/// thread. A team that wakes up and waits for itself takes as long as a core for some thousand
/// entries.
Designs vary_threads(const CanonicalDesign& design) {
  Designs designs;
  const auto add = [&](std::size_t first) {
    Design alone = design.tree();
    std::size_t launch = 0;
    for_each_step(alone, [&](Step& step) {
      if (step.op == "launch" && launch++ >= first) set_parameter(step, "tasks", "one");
    });
    designs.push_back(canonical(alone));
    return launch;
  };
  const std::size_t launches = add(0);
  if (launches > 1) add(launches - 1);
  return designs;
}

/// The fastest design of each of the fastest structures.
Designs fastest_structures(const Outcomes& outcomes, KnownDesigns& known, std::size_t count) {
  std::set<std::string> structures;
  Designs fastest;
  for (const Measurement* const outcome : sort_by_time(outcomes)) {
    if (fastest.size() == count) break;
    const CanonicalDesign* const design = known.find(outcome->design);
    if (design && structures.insert(design->structure()).second) fastest.push_back(*design);
  }
  return fastest;
}

}  // namespace

Designs refined(const StrategyContext& context, const CanonicalDesign& design) {
  const SearchLimits& limits = context.space.limits;
  const Target target = find_target(design.tree()).value_or(Target::gpu);
  Designs designs;
  if (limits.is_team) designs = vary_threads(design);
  if (target == Target::cpu) {
    if (auto other = with_other_gathers(design.tree())) designs.push_back(std::move(*other));
  }
  for (CanonicalDesign& packed : compacted(design, limits, target))
    designs.push_back(std::move(packed));
  if (target == Target::gpu && limits.unmodelled) {
    for (const char* const width : {"4", "2"})
      if (auto wide = with_wide_loads(design.tree(), width)) designs.push_back(std::move(*wide));
  }
  std::erase_if(designs, [&](const CanonicalDesign& other) { return !context.is_legal(other); });
  return designs;
}

/// The fastest designs of a few structures so far, refined: large matrices gain most by their
/// bytes, and are given few trials.
std::optional<Proposer> compact_strategy(StrategyContext& context,
                                         const StrategiesOptions& options) {
  if (!options.parts.grid) return std::nullopt;
  Proposer compact;
  compact.first = true;
  compact.propose = [&context, list = Proposer()](const Outcomes& outcomes,
                                                  std::size_t count) mutable {
    if (!list.propose) {
      Designs designs;
      for (const CanonicalDesign& fast :
           fastest_structures(outcomes, context.known, compacted_structures)) {
        for (CanonicalDesign& design : refined(context, fast)) designs.push_back(std::move(design));
      }
      list = listed(std::move(designs));
    }
    return list.propose(outcomes, count);
  };
  return compact;
}

}  // namespace alphasparse
