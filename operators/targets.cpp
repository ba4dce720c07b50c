#include "operators/targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "generator/layouts/layout_kind.h"
#include "operators/parameter_grid.h"

namespace alphasparse {

namespace {

struct Refusal {
  std::string_view op, why;
};

constexpr std::string_view no_blocks =
    "a core has no blocks of threads; leave it out, or use its warp_ or thread_ form";
constexpr std::string_view no_shared = "a core has no threads that share memory; use warp_rows";

/// Operators that CPUs do not have.
constexpr std::array<Refusal, 13> refused = {{
    {"block_rows", no_blocks},
    {"block_cols", no_blocks},
    {"block_nnz", no_blocks},
    {"block_merge_path", no_blocks},
    {"block_sort_rows", no_blocks},
    {"block_pad", no_blocks},
    {"shared_total", no_shared},
    {"shared_offset", no_shared},
    {"stage_x", "a core's cache holds the slice of x already; leave it out"},
    {"warp_merge_path", "lanes that walk rows of their own read far apart; use thread_merge_path"},
    {"global_carry", "tasks carry the rows that they share in order anyway; use global_atomic"},
    {"global_add", "the parts of a team say that by themselves; use global_store or global_atomic"},
    {"symmetric_half", "mirror images are added to rows that other tasks write; leave it out"},
}};

struct WordRefusal {
  std::string_view op, parameter, word, why;
};

/// Words other than those that CPUs have.
constexpr std::array<WordRefusal, 7> words_of_cpus = {{
    {"thread_pad", "length", "longest", "lanes of a gang end together; use length=longest"},
    {"thread_pad", "multiple", "1", "a gang loads entries side by side; use multiple=1"},
    {"thread_total", "vector", "1", "a gang loads entries side by side; use vector=1"},
    {"thread_bitmap", "vector", "1", "a gang loads entries side by side; use vector=1"},
    {"thread_total", "batch", "1", "a core runs ahead of additions by itself; use batch=1"},
    {"warp_segment", "by", "ballot", "one core goes through the lanes in order; use by=ballot"},
    {"warp_segment", "fast", "none", "one core goes through the lanes in order; use fast=none"},
}};

/// Lanes read neighbours, or there are none: a thread a row of a warp would read far apart.
std::optional<std::string> cannot_reduce(const Store& store) {
  const LevelFacts* const threads = store.level(Level::thread);
  if (!threads) return std::nullopt;
  const int gang = store.gang();
  if (gang == 0 && threads->parent == Level::warp) {
    return "the lanes of a gang must read neighbours; put interleave before it, or leave the warp "
           "level out";
  }
  const bool share_a_row = threads->cut == Cut::cols || store.part_of_row();
  if (gang > 0 && threads->cut != Cut::lanes && share_a_row) {
    return "lanes that share a row read neighbours already; use thread_cols lanes=";
  }
  if (gang > gang_most || (gang & (gang - 1)) != 0) {
    return fmt::format("{} lanes are no gang, which has a power of two of them, up to {}", gang,
                       gang_most);
  }
  if (gang > 0) {
    if (auto why = refusal(store, asked::ReadByGang{})) return why;
  }
  const bool tile = threads->cut == Cut::nnz && gang > 0;
  if (tile && threads->parent != Level::warp) {
    return "threads of equal non-zeros are a gang in warps alone; put warp_nnz before thread_nnz";
  }
  return std::nullopt;
}

}  // namespace

std::optional<Target> target_of(const Design& design) {
  std::optional<Target> target;
  for_each_step(design, [&](const Step& step) {
    if (step.op != "launch") return;
    if (!target) target = Target::cuda;
    for (const Parameter& given : step.parameters) {
      if (given.name == "tasks") target = Target::cpu;
    }
  });
  return target;
}

bool is_for(const ParameterSpec& spec, Target target) {
  return !spec.only_on || *spec.only_on == target;
}

std::optional<std::string_view> lacks(Target target, std::string_view op) {
  if (target != Target::cpu) return std::nullopt;
  for (const Refusal& refusal : refused) {
    if (refusal.op == op) return refusal.why;
  }
  return std::nullopt;
}

CoarseGrid coarse_of(const ParameterSpec& spec, Target target) {
  return target == Target::cpu && spec.coarse_on_cpu ? spec.coarse_on_cpu : spec.coarse;
}

std::vector<std::string_view> words_on(const Operator& op, const ParameterSpec& spec,
                                       Target target) {
  std::vector<std::string_view> words = spec.words;
  if (op.name == "interleave" && spec.name == "run") {
    // On CPUs whole rows of blocks were the fastest runs everywhere (runtime/cpu/README.md).
    std::erase_if(words, [&](std::string_view word) {
      return target == Target::cuda ? word == "cols" : word == "2" || word == "4";
    });
  }
  if (target == Target::cuda) return words;
  for (const WordRefusal& row : words_of_cpus) {
    if (row.op != op.name || row.parameter != spec.name) continue;
    std::erase_if(words, [&](std::string_view word) { return word != row.word; });
  }
  return words;
}

std::optional<std::string> cannot_have(const Operator& op, Target target,
                                       const Arguments& arguments) {
  for (const ParameterSpec& spec : op.parameters) {
    if (is_for(spec, target) || !arguments.has(spec.name)) continue;
    if (arguments.word(spec.name) == spec.fallback) continue;
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
  if (const auto why = lacks(Target::cpu, op.name)) return std::string(*why);
  for (const WordRefusal& row : words_of_cpus) {
    if (row.op != op.name) continue;
    const std::string& word = arguments.word(row.parameter);
    if (word != row.word) return std::string(row.why);
  }
  if (op.name == "compact" && arguments.word("columns") == "deltas" && store.gang() > 0) {
    return "lanes that add up steps wait for each other; use columns=narrow";
  }
  const bool reduces = op.name.starts_with("thread_") && op.stage == Stage::implementing;
  if (reduces) return cannot_reduce(store);
  const bool leaves = op.name.starts_with("global_");
  const LevelFacts* const threads = store.level(Level::thread);
  const bool apart = store.partial.shape == Shape::one && store.partial.holder == Worker::thread;
  if (leaves && apart && store.gang() > 0 && threads->cut != Cut::rows) {
    return fmt::format("the lanes of a gang share rows; put {} before it",
                       threads->cut == Cut::nnz ? "warp_bitmap" : "warp_total");
  }
  if (leaves && store.partial.shape == Shape::head_tail && store.gang() > 0) {
    return "the lanes of a gang share rows; put warp_segment before it";
  }
  return std::nullopt;
}

}  // namespace alphasparse
