// table_steps: sums of single rows go to the block's table in shared memory, and each row's slice
// of it is added up. The case of one long row does without the table.
#include <fmt/format.h>

#include "generator/body/passes.h"

namespace alphasparse {

namespace {

class TableSteps {
 public:
  TableSteps(Composition& composition, std::size_t at)
      : c_(composition), at_(at), block_(unit_name(c_.store, *c_.store.level(Level::block))) {}

  TableNames fill() {
    bind_rows(c_.slots[c_.plan.table->has_longer_rows ? c_.table_slot - 1 : c_.table_slot]);
    if (c_.plan.table->has_longer_rows) c_.slots[c_.table_slot].otherwise = long_row();
    c_.slots[at_].after.back().declaration = fmt::format("table[thread - {}] =", c_.table_first);
    Slot& slot = c_.slots[c_.table_slot];
    slot.after.push_back({"", "__syncthreads()", "", ""});
    bind_slots(slot);
    bind_emit(slot);
    return {c_.table_slot, first_row_, end_row_};
  }

 private:
  /// The rows of the block, in the slot where it is open.
  void bind_rows(Slot& slot) {
    first_row_ = block_ + "_first_row";
    end_row_ = block_ + "_end_row";
    if (block_ == "row") {
      first_row_ = "row";
      end_row_ = "row + 1";
      return;
    }
    const std::string &first = first_row_, &end = end_row_;
    c_.format.add(first, c_.store.ints({Level::block, Name::first_row}),
                  {"first row of each " + block_, 0, c_.store.rows(), true});
    slot.bind("const int " + first, c_.format.read(first, block_));
    if (shares_rows()) {
      c_.format.add(end, c_.plan.table->block_end_row,
                    {"end of the rows of each " + block_, 0, c_.store.rows(), true});
      slot.bind("const int " + end, c_.format.read(end, block_));
    } else {
      slot.bind("const int " + end, c_.format.read(first, block_ + " + 1"));
    }
  }

  bool shares_rows() const { return c_.store.partial.owner == Worker::matrix; }

  void bind_slots(Slot& slot) {
    c_.format.add("row_first_thread", c_.plan.table->row_first_thread,
                  {"first thread of each row", 0, c_.plan.table->row_first_thread.back(), true});
    if (!shares_rows()) require_rows_of_blocks();
    const std::string read = c_.format.read("row_first_thread", "row");
    std::string text = fmt::format("{} - {}", read, c_.table_first);
    std::string why;
    if (shares_rows()) {
      const std::string count = fmt::format("{}_end_thread - {}", block_, c_.table_first);
      text = fmt::format("min(max({}, 0), {})", text, count);
      why = "Rows at the ends of the block have slots in its neighbours too.";
    }
    const char* const layout = shares_rows()
                                   ? "[&](int row) {{\n  return {};\n}}"  // too long for one
                                   : "[&](int row) {{ return {}; }}";
    slot.bind("const auto first_slot", fmt::format(fmt::runtime(layout), text), why);
  }

  /// The sums of a block's rows are those that its threads put into the table.
  void require_rows_of_blocks() {
    const std::int64_t blocks = c_.store.level(Level::block)->units;
    const Expression row = block_ == "row" ? the_index() : entry_of(first_row_, the_index());
    c_.format.require({"first thread of a block's rows, beside its threads'",
                       entry_of("row_first_thread", row) - entry_of(c_.table_first, the_index()),
                       blocks + 1, 0, 0});
    if (block_ == "row") return;
    c_.format.require({first_row_, row, blocks, 0, std::int64_t{c_.store.rows()} - 1});
  }

  void bind_emit(Slot& slot) {
    const std::string row = c_.origin("row");
    const std::string whole =
        fmt::format("{}(out, {}, sum)", c_.use(sink_fragment(c_.plan.whole.sink)), row);
    if (!shares_rows()) {
      slot.bind("const auto emit", fmt::format("[&](int row, Value sum) {{ {}; }}", whole));
      return;
    }
    slot.bind(
        "const auto emit",
        fmt::format("[&](int row, Value sum) {{\n"
                    "  const bool is_edge = row == {0}_first_row || row + 1 == {0}_end_row;\n"
                    "  if (is_edge) {{\n"
                    "    {1};\n"
                    "  }} else {{\n"
                    "    {2};\n"
                    "  }}\n"
                    "}}",
                    block_, c_.edge_call(row, fmt::format("row != {}_first_row", block_)), whole),
        "The block's first and last row may have parts in its neighbours.");
  }

  /// The slots inside the block's once more, adding up instead of filling the table.
  std::vector<Slot> long_row() {
    std::vector<Slot> slots(c_.slots.begin() + static_cast<std::ptrdiff_t>(c_.table_slot),
                            c_.slots.end());
    Slot& outer = slots.front();
    outer.header.clear();  // its bindings stay
    outer.before.clear();
    outer.after.clear();
    outer.before.push_back({"Value total", "0", "", "One row, longer than the table."});
    slots.back().after.back().declaration = "total +=";
    const std::string warp_sum = fmt::format("{}<32>(total)", c_.use("warp_total"));
    const std::string block_sum = fmt::format("{}<{}, 32>(warp_sum, {})", c_.use("shared_total"),
                                              c_.threads(), c_.table(c_.threads() / 32));
    outer.after.push_back({"const Value warp_sum", warp_sum, "", ""});
    outer.after.push_back({"const Value block_sum", block_sum, "", ""});
    const std::string store = fmt::format(
        "{}(out, {}, block_sum)", c_.use(sink_fragment(c_.plan.whole.sink)), c_.origin(first_row_));
    outer.after.push_back({"", store, "threadIdx.x == 0", ""});
    return slots;
  }

  Composition& c_;
  std::size_t at_;
  std::string block_;                ///< the name of a unit of the block level
  std::string first_row_, end_row_;  ///< of the block
};

}  // namespace

TableNames fill_table(Composition& composition, std::size_t at) {
  return TableSteps(composition, at).fill();
}

}  // namespace alphasparse
