#include "generator/code/composition.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/wrapped.h"

namespace alphasparse {

Slot& Composition::add_slot(const std::string& header, Worker uniform) {
  Slot& slot = slots.emplace_back();
  slot.header = header;
  slot.uniform = uniform;
  return slot;
}

std::string Composition::use(std::string_view fragment) {
  auto& used = body.fragments;
  if (std::find(used.begin(), used.end(), fragment) == used.end()) used.push_back(fragment);
  return std::string(fragment);
}

std::string Composition::table(std::int64_t values) {
  body.table_values = std::max(body.table_values, values);
  return "table";
}

std::string Composition::flags() {
  body.has_flags = true;
  return "flags";
}

std::string Composition::edge_call(const std::string& row, const std::string& is_last) {
  if (!plan.carries)
    return fmt::format("{}(out, {}, sum)", use(sink_fragment(plan.edge.sink)), row);
  return fmt::format("{}(f.carry(), {}, {}, sum)", use("global_carry"), level_name(plan.tile_level),
                     is_last);
}

Slot& Composition::slot_of_tile() {
  if (on_cpu()) return slots.back();
  return slots[slots.size() - (plan.tile_level == Level::thread ? 1 : 2)];
}

std::string Composition::functor(const std::string& argument, const std::string& text,
                                 bool on_one_line) const {
  const bool named = !on_cpu() || times_named(text, argument) > 0;
  return fmt::format("[&](int{}) {{{}return {};{}}}", named ? " " + argument : "",
                     on_one_line ? " " : "\n  ", text, on_one_line ? " " : "\n");
}

void Composition::bind_ports(Slot& base) {
  const std::string sink = use(sink_fragment(plan.whole.sink));
  base.bind("const auto emit",
            fmt::format("[&](int row, Value sum) {{ {}(out, row, sum); }}", sink));
  const std::string call = edge_call("row", "row != " + origin("first_row"));
  base.bind("const auto edge",
            call.size() < 45 ? fmt::format("[&](int row, Value sum) {{ {}; }}", call)
                             : fmt::format("[&](int row, Value sum) {{\n  {};\n}}", call),
            plan.edge.sink == Sink::atomic || plan.carries
                ? "The tile's first and last row may have parts in its neighbours."
                : "");
}

std::string Composition::lane() {
  if (on_cpu()) {
    slots[0].bind(fmt::format("constexpr Run<{}> lane", gang), "{}");
  } else {
    slots[0].bind("const int lane", "threadIdx.x % 32");
  }
  return "lane";
}

std::string Composition::group_lane(int lanes) {
  if (lanes == 32 || on_cpu()) return lane();
  slots[0].bind("const int group_lane", fmt::format("threadIdx.x % {}", lanes));
  return "group_lane";
}

std::string Composition::lanes_type(std::string_view type) const {
  std::string text(type);
  if (gang == 0) return text;
  for (const auto& [one, many] :
       {std::pair{"Value", "Lanes"}, std::pair{"HeadTail", "HeadTails"}}) {
    const std::size_t at = text.find(one);
    if (at != std::string::npos) {
      return text.replace(at, std::string_view(one).size(), fmt::format("{}<{}>", many, gang));
    }
  }
  return text;
}

std::string Composition::origin(const std::string& logical_row, bool of_lanes) {
  if (store.rows_in_callers_order()) return logical_row;
  format.add("row_origin", store.ints({Level::matrix, Name::row_origin}),
             {"row of y of each row", 0, std::int64_t{store.callers_rows()} - 1, false});
  return of_lanes ? format.read_lanes("row_origin", logical_row, false)
                  : format.read("row_origin", logical_row);
}

std::string Composition::row_of_y(const LevelFacts* part, bool of_lanes) {
  const LevelFacts& threads = thread_level();
  const auto& levels = store.levels();
  const bool row_in_scope = (threads.cut == Cut::lanes && !part) || store.partial.row_by_row ||
                            std::any_of(levels.begin(), levels.end(), [&](const LevelFacts& level) {
                              return unit_name(store, level) == "row";
                            });
  if (row_in_scope) return origin(row, of_lanes);
  const Level level = part ? part->level : Level::thread;
  const std::string unit = level_name(level);
  std::vector<std::int32_t> rows = store.ints({level, Name::first_row});
  for (std::int32_t& row : rows) row = store.ints({Level::matrix, Name::row_origin})[row];
  format.add(unit + "_row", std::move(rows),
             {"row of y of each " + unit, 0, std::int64_t{store.callers_rows()} - 1, false});
  return format.read(unit + "_row", unit);
}

std::string unit_name(const Store& store, const LevelFacts& level) {
  const bool cut_again = std::any_of(
      store.levels().begin(), store.levels().end(),
      [&](const LevelFacts& inner) { return inner.level > level.level && inner.cut == Cut::rows; });
  const bool is_row = level.cut == Cut::rows && level.rows_max == 1 && !cut_again;
  return is_row ? "row" : level_name(level.level);
}

Expression first_child(const Composition& c, const LevelFacts& children) {
  const LevelFacts& parent = *c.store.level(children.parent);
  const std::string array =
      fmt::format("{}_first_{}", unit_name(c.store, parent), unit_name(c.store, children));
  if (c.format.has(array)) return entry_of(array, the_index());
  const int of_block = children.level == Level::warp ? c.threads() / 32 : c.threads();
  const int workers = parent.level == Level::block ? of_block : c.on_cpu() ? c.gang : 32;
  return least(constant(workers) * the_index(), constant(children.units));
}

}  // namespace alphasparse
