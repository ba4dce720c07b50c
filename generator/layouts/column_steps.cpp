#include "generator/layouts/column_steps.h"

#include "base/ranges.h"
#include "generator/layouts/layout_kind.h"

namespace alphasparse {

namespace {

/// The stored positions of one thread: first, first + stride, ... below end.
struct Positions {
  std::int64_t first, end, stride;
};

/// Calls `visit` with each thread and its positions, several at a time.
template <class Visit>
void for_each_thread(const Store& store, const Layout& layout, const Visit& visit) {
  const LevelFacts& threads = *store.level(Level::thread);
  const auto& starts =
      layout.in_order ? store.ints({Level::thread, Name::first_nz}) : layout.first_entry;
  const auto for_each_of = [&](std::int64_t count, const auto& visit_one) {
    const auto work = [&](std::int64_t first, std::int64_t end) {
      for (std::int64_t i = first; i < end; ++i) visit_one(i);
    };
    for_ranges(count, work, items_least(count, layout.stored));
  };
  if (!side_by_side(store.layout)) {
    return for_each_of(threads.units, [&](std::int64_t unit) {
      visit(unit, Positions{starts[unit], starts[unit + 1], 1});
    });
  }
  if (threads.parent == Level::matrix) {
    return for_each_of(threads.units, [&](std::int64_t unit) {
      visit(unit, Positions{unit, layout.stored, layout.stride});
    });
  }
  const auto& first_child = store.ints({threads.parent, Name::first_child});
  for_each_of(static_cast<std::int64_t>(first_child.size()) - 1, [&](std::int64_t parent) {
    for (std::int64_t unit = first_child[parent]; unit < first_child[parent + 1]; ++unit) {
      visit(unit, Positions{starts[parent] + unit - first_child[parent], starts[parent + 1],
                            layout.stride});
    }
  });
}

}  // namespace

std::optional<std::string> cannot_step(const Store& store) {
  if (auto why = refusal(store, asked::StepColumns{})) return why;
  if (store.mirrored) return "the columns of one triangle are rows of y too";
  if (store.tiles_are_full()) return "lanes behind the last thread read pads of their own";
  if (store.vector > 1) return "several columns are loaded at once";
  return std::nullopt;
}

ColumnSteps column_steps(const Store& store, const Layout& layout,
                         const std::vector<std::int32_t>& column) {
  ColumnSteps steps;
  steps.first.assign(store.level(Level::thread)->units, -1);
  steps.step.assign(column.size(), 0);
  for_each_thread(store, layout, [&](std::int64_t unit, const Positions& positions) {
    for (std::int64_t at = positions.first; at < positions.end; at += positions.stride) {
      if (at == positions.first) {
        steps.first[unit] = column[at];
      } else {
        steps.step[at] = column[at] - column[at - positions.stride];
      }
    }
  });
  return steps;
}

}  // namespace alphasparse
