#include "operators/targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "generator/layouts/layout_kind.h"
#include "operators/parameter_grid.h"
#include "operators/reasons.h"

namespace alphasparse {

namespace {

/// Why the threads of a team, which have copies of the rows behind those of their tasks, cannot add
/// mirror images; or nothing.
std::optional<std::string> cannot_mirror(const Store& store, const LevelFacts& threads) {
  const bool bands = store.layout_as<Bands>() != nullptr;
  if (!bands && (threads.rows_max > 1 || !store.layout_as<InOrder>())) return images_of_rows;
  if (!bands && store.filled) return "an empty row has a place that is no entry; use compress";
  const auto& origin = store.ints({Level::matrix, Name::row_origin});
  if (std::is_sorted(origin.begin(), origin.end())) return std::nullopt;
  return "tasks add mirror images to rows behind their own; leave the order of rows as it is";
}

}  // namespace

/// Lanes read neighbours, or there are none: a thread a row of a warp would read far apart.
std::optional<std::string> cannot_reduce(const Store& store, const Arguments&) {
  const LevelFacts* const threads = store.level(Level::thread);
  if (!threads) return std::nullopt;
  const int gang = store.gang();
  if (store.mirrored()) return cannot_mirror(store, *threads);
  if (gang == 0 && threads->parent == Level::warp) {
    return "the lanes of a gang must read neighbours; put interleave before it, or leave the warp "
           "level out";
  }
  const bool share_a_row = threads->tiling == Tiling::cols || store.part_of_row();
  if (gang > 0 && threads->tiling != Tiling::lanes && share_a_row) {
    return "lanes that share a row read neighbours already; use thread_cols lanes=";
  }
  if (gang > gang_most || (gang & (gang - 1)) != 0) {
    return fmt::format("{} lanes are no gang, which has a power of two of them, up to {}", gang,
                       gang_most);
  }
  if (gang > 0) {
    if (auto reason = rejection(store, request::ReadByGang{})) return reason;
  }
  const bool tile = threads->tiling == Tiling::nnz && gang > 0;
  if (tile && threads->parent != Level::warp) {
    return "threads of equal non-zeros are a gang in warps alone; put warp_nnz before thread_nnz";
  }
  return std::nullopt;
}

std::optional<std::string> reject_epilogue(const Store& store, const Arguments&) {
  const LevelFacts* const threads = store.level(Level::thread);
  const bool apart = store.partial.shape == Shape::one && store.partial.holder == Worker::thread;
  if (apart && store.gang() > 0 && threads->tiling != Tiling::rows) {
    return fmt::format("the lanes of a gang share rows; put {} before it",
                       threads->tiling == Tiling::nnz ? "warp_bitmap" : "warp_total");
  }
  if (store.partial.shape == Shape::head_tail && store.gang() > 0) {
    return "the lanes of a gang share rows; put warp_segment before it";
  }
  return std::nullopt;
}

std::optional<Target> find_target(const Design& design) {
  std::optional<Target> target;
  for_each_step(design, [&](const Step& step) {
    if (step.op != "launch") return;
    if (!target) target = Target::gpu;
    for (const Parameter& given : step.parameters) {
      if (given.name == "tasks") target = Target::cpu;
    }
  });
  return target;
}

bool is_for(const ParameterSpec& spec, Target target) {
  return !spec.only_on || *spec.only_on == target;
}

CoarseGrid get_coarse(const ParameterSpec& spec, Target target) {
  return target == Target::cpu && spec.coarse_on_cpu ? spec.coarse_on_cpu : spec.coarse;
}

const std::vector<std::string_view>& list_choices(const ParameterSpec& spec, Target target) {
  const auto& own = target == Target::cpu ? spec.choices_on_cpu : spec.choices_on_gpu;
  return own.empty() ? spec.choices : own;
}

std::optional<std::string> cannot_have(const Operator& op, Target target,
                                       const Arguments& arguments) {
  for (const ParameterSpec& spec : op.parameters) {
    if (is_for(spec, target) || !arguments.has(spec.name)) continue;
    if (arguments.text(spec.name) == spec.fallback) continue;
    const bool launches = op.name == "launch";
    return target == Target::cpu
               ? fmt::format("{}= is a GPU's; {}", spec.name,
                             launches ? "a launch on a CPU takes tasks=bytes" : "leave it out")
               : fmt::format("{}= is a CPU's; {}", spec.name,
                             launches ? "a launch on a GPU takes threads=" : "leave it out");
  }
  return std::nullopt;
}

std::optional<std::string> cannot_on_cpu(const Operator& op, const Store& store,
                                         const Arguments& arguments) {
  if (!store.on_cpu()) return std::nullopt;
  if (!op.on_cpu.lacks.empty()) return std::string(op.on_cpu.lacks);
  for (const ParameterSpec& spec : op.parameters) {
    if (spec.cpu_reason.empty()) continue;
    const auto& choices = spec.choices_on_cpu;
    if (std::find(choices.begin(), choices.end(), arguments.text(spec.name)) == choices.end())
      return std::string(spec.cpu_reason);
  }
  return op.on_cpu.rejects ? op.on_cpu.rejects(store, arguments) : std::nullopt;
}

}  // namespace alphasparse
