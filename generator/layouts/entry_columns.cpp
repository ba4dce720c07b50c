#include "generator/layouts/entry_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "generator/code/composition.h"
#include "generator/layouts/column_steps.h"

namespace alphasparse {

namespace {

/// The array if the kernel has it, else the expression that stands in its place.
Expression entry_or(const FormatStruct& format, const std::string& array, const Expression& other) {
  return format.has(array) ? read_entry(array, the_index()) : other;
}

/// Where the threads of each parent begin, and their positions.
void set_positions(const BranchPlan& plan, const FormatStruct& format, StepWalk& walk) {
  const Store& store = *plan.store;
  const LevelFacts& threads = *store.level(Level::thread);
  const std::string name = part_name(store, threads);
  const Expression parts = constant(threads.parts), stored = constant(plan.layout.stored);
  if (!side_by_side(store.layout)) {
    const std::string offsets = plan.layout.in_order ? "_first_nz" : "_first_entry";
    walk.parents = threads.parts;
    walk.first_thread = the_index();
    walk.first_position =
        entry_or(format, name + offsets, least(constant(threads.part_size) * the_index(), stored));
    return;
  }
  walk.stride = plan.layout.stride;
  if (threads.parent == Level::matrix) {
    walk.parents = 1;
    walk.first_thread = parts * the_index();
    walk.first_position = stored * the_index();
    return;
  }
  const LevelFacts& parent = *store.level(threads.parent);
  const std::string parent_name = part_name(store, parent);
  const int workers = parent.level == Level::warp ? 32 : store.launch.threads;
  walk.parents = parent.parts;
  walk.first_thread = entry_or(format, fmt::format("{}_first_{}", parent_name, name),
                               least(constant(workers) * the_index(), parts));
  walk.first_position = read_entry(parent_name + "_first_entry", the_index());
}

}  // namespace

void add_entry_columns(BranchPlan& plan, const Matrix&, FormatStruct& format) {
  // Nobody asks the layout for them again, and of a large matrix each is as much as all of x.
  std::vector<std::int32_t> columns = std::move(plan.layout.column);
  const char* const doc = plan.staged
                              ? "place of each stored entry's column in its block's slice of x"
                              : "column of each stored entry";
  std::string name = "column";
  if (plan.store->compact.columns == CodingChoice::deltas) {
    name = "column_step";
    const std::string part = part_name(*plan.store, *plan.store->level(Level::thread));
    ColumnSteps steps = column_steps(*plan.store, plan.layout, std::move(columns));
    format.add(part + "_first_column", std::move(steps.first),
               fmt::format("column of each {}'s first entry", part), true);
    format.add(name, std::move(steps.step),
               "from the column of the entry before, of the same thread", true);
  } else {
    format.add(name, std::move(columns), doc, true);
  }
  if (plan.store->launch.streamed) format.stream({name});
}

void add_step_walk(const BranchPlan& plan, FormatStruct& format) {
  if (plan.store->compact.columns != CodingChoice::deltas || plan.layout.bitmap) return;
  const std::string part = part_name(*plan.store, *plan.store->level(Level::thread));
  StepWalk walk;
  walk.name = "column";
  walk.first = read_entry(part + "_first_column", the_index());
  walk.step = read_entry("column_step", the_index());
  walk.pad = plan.layout.predicated ? -1 : 0;
  set_positions(plan, format, walk);
  format.add_steps(std::move(walk));
}

}  // namespace alphasparse
