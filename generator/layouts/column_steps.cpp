#include "generator/layouts/column_steps.h"

#include <utility>

#include "base/ranges.h"
#include "generator/layouts/layout_kind.h"

namespace alphasparse {

namespace {

/// The stored positions of one thread: first, first + stride, ... below end.
struct Positions {
  std::int64_t first, end, stride;
};

/// Puts the steps of one thread into the places of its columns, and returns the first of these.
std::int32_t to_steps(const Positions& of, std::vector<std::int32_t>& column) {
  if (of.first >= of.end) return -1;
  const std::int64_t steps = (of.end - of.first - 1) / of.stride;
  for (std::int64_t at = of.first + steps * of.stride; at > of.first; at -= of.stride)
    column[at] -= column[at - of.stride];
  return std::exchange(column[of.first], 0);
}

/// The same for a lane of threads side by side: from `end` on no thread reads it.
void to_steps(std::int64_t part, std::int64_t end, const Positions& lane, ColumnSteps& steps) {
  if (part < end) {
    steps.first[part] = to_steps(lane, steps.step);
    return;
  }
  for (std::int64_t at = lane.first; at < lane.end; at += lane.stride) steps.step[at] = 0;
}

}  // namespace

std::optional<std::string> cannot_step(const Store& store) {
  if (auto reason = rejection(store, request::StepColumns{})) return reason;
  if (store.mirrored()) return "the columns of one triangle are rows of y too";
  if (store.tiles_are_full()) return "lanes behind the last thread read pads of their own";
  if (store.vector > 1) return "several columns are loaded at once";
  return std::nullopt;
}

ColumnSteps column_steps(const Store& store, const Layout& layout,
                         std::vector<std::int32_t> column) {
  const LevelFacts& threads = *store.level(Level::thread);
  ColumnSteps steps{std::vector<std::int32_t>(threads.parts, -1), std::move(column)};
  const auto& starts =
      layout.in_order ? store.ints({Level::thread, Name::first_nz}) : layout.first_entry;
  const auto for_each_of = [&](std::int64_t count, const auto& visit_one) {
    const auto work = [&](std::int64_t first, std::int64_t end) {
      for (std::int64_t i = first; i < end; ++i) visit_one(i);
    };
    for_ranges(count, work, grain_size(count, layout.stored));
  };
  if (!side_by_side(store.layout)) {
    for_each_of(threads.parts, [&](std::int64_t part) {
      steps.first[part] = to_steps({starts[part], starts[part + 1], 1}, steps.step);
    });
  } else if (threads.parent == Level::matrix) {
    for_each_of(layout.stride, [&](std::int64_t lane) {
      to_steps(lane, threads.parts, {lane, layout.stored, layout.stride}, steps);
    });
  } else {
    const auto& child = store.ints({threads.parent, Name::first_child});
    for_each_of(static_cast<std::int64_t>(child.size()) - 1, [&](std::int64_t parent) {
      for (std::int64_t lane = 0; lane < layout.stride; ++lane) {
        to_steps(child[parent] + lane, child[parent + 1],
                 {starts[parent] + lane, starts[parent + 1], layout.stride}, steps);
      }
    });
  }
  return steps;
}

}  // namespace alphasparse
