#include "generator/code/composition.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/ranges.h"
#include "generator/arrays/spelling.h"

namespace alphasparse {

Slot& Composition::add_scope(Worker uniform) {
  Slot& slot = slots.emplace_back();
  slot.uniform = uniform;
  return slot;
}

Slot& Composition::add_guard(const Code& condition, Worker uniform) {
  Slot& slot = add_scope(uniform);
  slot.kind = Slot::Kind::guard;
  slot.condition = condition;
  return slot;
}

Slot& Composition::add_loop(const Loop& loop, Worker uniform) {
  Slot& slot = add_scope(uniform);
  slot.kind = Slot::Kind::loop;
  slot.loop = loop;
  return slot;
}

Code Composition::constant(const std::string& name, std::int64_t number) {
  const Code text = code("{}", number);
  std::vector<Statement>& bindings = slots[0].bindings;
  const auto same_name = [&](const Statement& known) { return known.declares(name); };
  const auto known = std::find_if(bindings.begin(), bindings.end(), same_name);
  if (known != bindings.end()) return known->expression == text ? Code::named(name) : text;
  const auto is_variable = [](const Statement& known) { return known.type != "constexpr int"; };
  bindings.insert(std::find_if(bindings.begin(), bindings.end(), is_variable),
                  local("constexpr int", name, text));
  return Code::named(name);
}

std::string Composition::use(std::string_view fragment) {
  auto& used = body.fragments;
  if (std::find(used.begin(), used.end(), fragment) == used.end()) used.push_back(fragment);
  return std::string(fragment);
}

Code Composition::table(std::int64_t values) {
  body.table_values = std::max(body.table_values, values);
  return "$table";
}

Code Composition::flags() {
  body.has_flags = true;
  return "$flags";
}

Code Composition::edge_call(const Code& row, const Code& is_last) {
  if (!plan.carries)
    return code("{}($out, {}, $sum)", use(epilogue_fragment(plan.edge.epilogue)), row);
  return code("{}($f.carry(), {}, {}, $sum)", use("global_carry"),
              Code::named(level_name(plan.tile_level)), is_last);
}

Code Composition::functor(const std::string& argument, const Code& result, bool may_break) const {
  const bool is_named = find_spelling(store.target()).names_unread || result.reads(argument);
  return code("[&](int{}) {{{}return {};{}}}", is_named ? " " + argument : "",
              may_break ? "\v  " : " ", result, may_break ? "\v" : " ")
      .binding({argument});
}

void Composition::bind_ports(Slot& base) {
  const std::string epilogue = use(epilogue_fragment(plan.whole.epilogue));
  base.bind("const auto", "emit",
            code("[&](int row, Value sum) {{ {}($out, row, sum); }}", epilogue));
  base.bind("const auto", "edge",
            code("[&](int row, Value sum) {{\v  {};\v}}",
                 edge_call("$row", code("$row != {}", origin("$first_row"))))
                .binding({"row", "sum"}),
            plan.edge.epilogue == Epilogue::atomic || plan.carries
                ? "The tile's first and last row may have parts in its neighbours."
                : "");
}

Code Composition::x_at(const Code& column) const {
  return code("{}[{}]", plan.staged ? "$x_slice" : "$x", column);
}

std::string Composition::lanes_type(std::string_view type) const {
  constexpr std::pair<std::string_view, std::string_view> of_lanes[] = {
      {"const Value", "const Lanes"}, {"const HeadTail", "const HeadTails"}};
  for (const auto& [one, many] : of_lanes) {
    if (gang > 0 && one == type) return fmt::format("{}<{}>", many, gang);
  }
  return std::string(type);
}

Code Composition::origin(const Code& logical_row, bool of_lanes) {
  if (store.rows_in_callers_order()) return logical_row;
  format.add("row_origin", store.ints({Level::matrix, Name::row_origin}), "row of y of each row");
  return of_lanes ? format.read_lanes("row_origin", logical_row, false)
                  : format.read("row_origin", logical_row);
}

Code Composition::row_of_y(const LevelFacts* part, bool of_lanes) {
  const LevelFacts& threads = thread_level();
  const auto& levels = store.levels();
  const bool row_in_scope =
      (threads.tiling == Tiling::lanes && !part) || store.partial.row_by_row ||
      std::any_of(levels.begin(), levels.end(),
                  [&](const LevelFacts& level) { return part_name(store, level) == "row"; });
  if (row_in_scope) return origin(row, of_lanes);
  const Level level = part ? part->level : Level::thread;
  const std::string label = level_name(level);
  const auto& first_row = store.ints({level, Name::first_row});
  const auto& origin_of = store.ints({Level::matrix, Name::row_origin});
  std::vector<std::int32_t> rows(first_row.size());
  for_ranges(static_cast<std::int64_t>(rows.size()), [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t i = first; i < end; ++i) rows[i] = origin_of[first_row[i]];
  });
  format.add(label + "_row", std::move(rows), "row of y of each " + label);
  return format.read(label + "_row", Code::named(label));
}

std::string part_name(const Store& store, const LevelFacts& level) {
  const bool parted_again =
      std::any_of(store.levels().begin(), store.levels().end(), [&](const LevelFacts& inner) {
        return inner.level > level.level && inner.tiling == Tiling::rows;
      });
  const bool is_row = level.tiling == Tiling::rows && level.rows_max == 1 && !parted_again;
  return is_row ? "row" : level_name(level.level);
}

Code lanes_text(Composition& c, int lanes) {
  return c.writer.simt && lanes == 32 ? Code("warp_size") : c.constant("lanes", lanes);
}

}  // namespace alphasparse
