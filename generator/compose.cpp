#include "generator/compose.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "generator/composition.h"
#include "generator/result.h"

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

std::string Composition::lane() {
  slots[0].let("const int lane", "threadIdx.x % 32");
  return "lane";
}

std::string Composition::group_lane(int lanes) {
  if (lanes == 32) return lane();
  slots[0].let("const int group_lane", fmt::format("threadIdx.x % {}", lanes));
  return "group_lane";
}

std::string Composition::origin(const std::string& logical_row) {
  if (store.rows_in_callers_order()) return logical_row;
  format.add("row_origin", store.ints({Level::matrix, Name::row_origin}),
             {"row of y of each row", 0, std::int64_t{store.callers_rows()} - 1, false});
  return format.read("row_origin", logical_row);
}

namespace {

/// Calls the fragments of the chain and hands what is left to the sink.
class ChainWriter {
 public:
  explicit ChainWriter(Composition& composition) : c_(composition), at_(c_.slots.size() - 1) {}

  void write() {
    let_term();
    if (c_.plan.segments) segments_ = let_segments(c_);
    for (const FragmentStep& step : c_.store.chain) call(step);
    finish();
  }

 private:
  void let_term() {
    if (c_.store.vector > 1) return let_vector_term();
    c_.format.read("value", "entry");
    const std::string column = c_.format.read("column", "entry");
    if (c_.plan.layout.predicated) {
      c_.slots[0].let(
          "const auto term",
          fmt::format("[&](int entry) {{\n"
                      "  const int column = {};\n"
                      "  return column < 0 ? Value(0) : f.value(entry) * __ldg(x + column);\n"
                      "}}",
                      column),
          "A pad of an empty row has column -1 and adds nothing.");
    } else {
      c_.slots[0].let(
          "const auto term",
          fmt::format("[&](int entry) {{ return f.value(entry) * __ldg(x + {}); }}", column));
    }
  }

  /// The sum of neighbouring products: loads are at most 16 bytes wide.
  void let_vector_term() {
    const int width = c_.store.vector;
    std::string text = "[&](int entry) {\n";
    const std::vector<std::string> columns = load_vector("column", width, width, text);
    const std::vector<std::string> values =
        load_vector("value", width, c_.format.is_double() ? 2 : 4, text);
    if (c_.plan.layout.predicated) {
      text += "  // A pad of an empty row has column -1 and adds nothing.\n";
      text += "  if (column.x < 0) return Value(0);\n";
    }
    text += "  return ";
    for (int k = 0; k < width; ++k) {
      text += fmt::format("{}{} * __ldg(x + {})",
                          k == 0       ? ""
                          : k % 2 == 0 ? " +\n      "
                                       : " + ",
                          values[k], columns[k]);
    }
    c_.slots[0].let("const auto term", text + ";\n}",
                    fmt::format("Entries are loaded by {}: they begin at multiples of it.", width));
  }

  /// Appends the loads of `width` entries, at most `most` at once; returns the entries' names.
  std::vector<std::string> load_vector(const std::string& array, int width, int most,
                                       std::string& text) {
    std::vector<std::string> names;
    const int at_once = std::min(width, most);
    for (int first = 0; first < width; first += at_once) {
      const std::string vector = first == 0 ? array : fmt::format("{}_{}", array, first);
      const std::string index = first == 0 ? "entry" : fmt::format("entry + {}", first);
      const VectorRead read = c_.format.read_vector(array, at_once, index);
      text += fmt::format("  const {} {} = {};\n", read.type, vector, read.expression);
      for (int k = 0; k < at_once; ++k) names.push_back(fmt::format("{}.{}", vector, "xyzw"[k]));
    }
    return names;
  }

  void call(const FragmentStep& step) {
    const Fragment& fragment = *step.fragment;
    if (fragment.takes == Shape::none && fragment.gives == Shape::one && has_one_item()) {
      return place(fragment, fmt::format("term({})", items_of(c_).first));
    }
    c_.use(fragment.name);
    if (fragment.takes == Shape::one) cross_to(fragment.scope);
    std::vector<std::string> template_arguments, arguments;
    Items thread_items;
    if (fragment.takes == Shape::none) thread_items = items_of(c_);
    for (const Role role : fragment.template_arguments) {
      template_arguments.push_back(std::to_string(role == Role::lanes  ? step.lanes
                                                  : role == Role::sums ? step.sums
                                                                       : c_.thread_level().items));
    }
    for (const Role role : fragment.arguments) arguments.push_back(argument(role, thread_items));
    std::string text(fragment.name);
    if (!template_arguments.empty())
      text += fmt::format("<{}>", fmt::join(template_arguments, ", "));
    text += fmt::format("({})", fmt::join(arguments, ", "));
    place(fragment, text);
  }

  /// Every thread has exactly one product: nothing is to be added up.
  bool has_one_item() const {
    return c_.thread_level().cut == Cut::nnz && c_.thread_level().items == 1;
  }

  std::string argument(Role role, const Items& thread_items) const {
    switch (role) {
      case Role::first:
        return thread_items.first;
      case Role::end:
        return thread_items.end;
      case Role::step:
        return thread_items.step;
      case Role::local:
        return thread_items.local;
      case Role::entry_of:
        return "entry_of";
      case Role::term:
        return "term";
      case Role::partial:
        return value_;
      case Role::starts:
        return "starts";
      case Role::open:
        return segments_.open;
      case Role::seg_offset:
        return segments_.seg_offset;
      case Role::row_of:
        return "row_of";
      case Role::emit:
        return "emit";
      case Role::edge:
        return "edge";
      case Role::items:
      case Role::lanes:
      case Role::sums:
        break;
    }
    CHECK(!"a role that is a template argument only");
    return {};
  }

  /// Puts a call where it belongs; a thread without a row brings 0.
  void place(const Fragment& fragment, const std::string& text) {
    Slot& slot = c_.slots[at_];
    if (fragment.result_name.empty()) {
      slot.after.push_back({"", text, "", ""});
      value_.clear();
      return;
    }
    value_ = fragment.result_name;
    if (!c_.predicate.empty() && fragment.takes == Shape::none) {
      slot.after.push_back({"Value " + value_, "0", "", ""});
      slot.after.push_back({value_ + " =", text, c_.predicate, ""});
      return;
    }
    slot.after.push_back({fmt::format("{} {}", fragment.result_type, value_), text, "", ""});
  }

  /// Moves the value outwards to a slot that all workers of `scope` run together; loops on the way
  /// add up.
  void cross_to(Worker scope) {
    std::size_t target = at_;
    while (c_.slots[target].uniform < scope) {
      CHECK(target > 0);
      --target;
    }
    if (target == at_) return;
    c_.slots[target].before.push_back({"Value total", "0", "", ""});
    Statement& last = c_.slots[at_].after.back();
    last.declaration = "total +=";
    value_ = "total";
    at_ = target;
  }

  /// The caller's row that the value in hand belongs to.
  std::string row_of_value() {
    const LevelFacts& threads = c_.thread_level();
    const LevelFacts* part = c_.store.part_of_row();
    const auto& levels = c_.store.levels();
    const bool row_in_scope =
        (threads.cut == Cut::lanes && !part) || c_.store.partial.row_by_row ||
        std::any_of(levels.begin(), levels.end(),
                    [&](const LevelFacts& level) { return unit_name(c_.store, level) == "row"; });
    if (row_in_scope) return c_.origin(c_.row);
    const bool one_a_thread =
        threads.cut != Cut::lanes && c_.store.partial.holder == Worker::thread;
    const std::string unit = level_name(one_a_thread || !part ? Level::thread : part->level);
    std::vector<std::int32_t> rows = c_.plan.whole.rows;  // one a unit, the caller's already
    c_.format.add(
        unit + "_row", std::move(rows),
        {"row of y of each " + unit, 0, std::int64_t{c_.store.callers_rows()} - 1, false});
    return c_.format.read(unit + "_row", unit);
  }

  void finish() {
    if (c_.store.partial.shape == Shape::done) return;
    if (c_.store.partial.shape == Shape::head_tail) {
      c_.slots[at_].after.push_back({"", "edge(row_of(part.first), part.head)", "", ""});
      c_.slots[at_].after.push_back(
          {"", "edge(row_of(part.last), part.tail)", "part.last != part.first", ""});
      return;
    }
    std::vector<std::string> guards;
    if (!c_.predicate.empty()) guards.push_back(c_.predicate);
    if (c_.store.partial.holder == Worker::group) {
      guards.push_back(c_.group_lane(c_.thread_level().lanes) + " == 0");
    }
    if (c_.store.partial.holder == Worker::warp) guards.push_back(c_.lane() + " == 0");
    const std::string sink = c_.use(sink_fragment(c_.plan.whole.sink));
    c_.slots[at_].after.push_back({"", fmt::format("{}(out, {}, {})", sink, row_of_value(), value_),
                                   fmt::format("{}", fmt::join(guards, " && ")), ""});
  }

  Composition& c_;
  std::size_t at_;     ///< the slot where the value in hand lives
  std::string value_;  ///< its name
  SegmentNames segments_;
};

}  // namespace

Body compose_branch(const BranchPlan& plan, const Matrix& matrix, FormatStruct& format) {
  format.add_values(matrix.value, plan.layout.value_source);
  format.add("column", plan.layout.column,
             {"column of each stored entry", plan.layout.predicated ? -1 : 0,
              std::int64_t{matrix.cols} - 1, false});
  if (plan.store->launch.streamed) format.stream({"value", "column"});
  const LevelFacts& outermost = plan.store->levels().front();
  const bool has_work =
      plan.store->rows() > 0 && (outermost.cut == Cut::lanes || outermost.units > 0);
  if (!has_work) return {};
  Composition composition{plan, *plan.store, format};
  if (plan.store->launch.fused) composition.block = "block_index";
  composition.add_slot("", Worker::block);
  open_levels(composition);
  ChainWriter(composition).write();
  composition.body.text = slots_text(composition.slots, 1);
  return std::move(composition.body);
}

}  // namespace alphasparse
