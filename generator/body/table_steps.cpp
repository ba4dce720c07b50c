// table_steps: sums of single rows go to the block's table in shared memory, and each row's slice
// of it is added up. The case of one long row does without the table.
#include <fmt/format.h>

#include "generator/body/passes.h"

namespace alphasparse {

namespace {

class TableSteps {
 public:
  TableSteps(Composition& composition, std::size_t at)
      : c_(composition), at_(at), block_(part_name(c_.store, *c_.store.level(Level::block))) {}

  TableNames fill() {
    bind_rows(c_.slots[c_.plan.table->has_longer_rows ? c_.table_slot - 1 : c_.table_slot]);
    if (c_.plan.table->has_longer_rows) c_.slots[c_.table_slot].otherwise = long_row();
    Statement& sum = c_.slots[at_].after.back();
    sum.type.clear();
    sum.target = code("$table[$thread - {}]", table_first());
    sum.adds = false;
    Slot& slot = c_.slots[c_.table_slot];
    slot.after.push_back(call("__syncthreads()"));
    bind_slots(slot);
    bind_emit(slot);
    return {c_.table_slot, first_row_, end_row_};
  }

 private:
  Code table_first() const { return Code::named(c_.table_first); }
  Code end_thread() const { return Code::named(block_ + "_end_thread"); }

  /// The rows of the block, in the slot where it is open.
  void bind_rows(Slot& slot) {
    if (block_ == "row") {
      first_row_ = "$row";
      end_row_ = "$row + 1";
      return;
    }
    const std::string first = block_ + "_first_row", end = block_ + "_end_row";
    const Code this_block = Code::named(block_);
    first_row_ = Code::named(first);
    end_row_ = Code::named(end);
    c_.format.add(first, c_.store.ints({Level::block, Name::first_row}),
                  "first row of each " + block_);
    slot.bind("const int", first, c_.format.read(first, this_block));
    if (shares_rows()) {
      c_.format.add(end, c_.plan.table->block_end_row, "end of the rows of each " + block_);
      slot.bind("const int", end, c_.format.read(end, this_block));
    } else {
      slot.bind("const int", end, c_.format.read(first, code("{} + 1", this_block)));
    }
  }

  bool shares_rows() const { return c_.store.partial.owner == Worker::matrix; }

  void bind_slots(Slot& slot) {
    c_.format.add("row_first_thread", c_.plan.table->row_first_thread, "first thread of each row");
    const Code index = code("{} - {}", c_.format.read("row_first_thread", "$row"), table_first());
    if (!shares_rows()) {
      slot.bind("const auto", "first_slot", c_.functor("row", index));
      return;
    }
    const Code inside = code("min(max({}, 0), {} - {})", index, end_thread(), table_first());
    slot.bind("const auto", "first_slot", c_.functor("row", inside, true),
              "Rows at the ends of the block have slots in its neighbours too.");
  }

  void bind_emit(Slot& slot) {
    const Code row = c_.origin("$row");
    const Code whole =
        code("{}($out, {}, $sum)", c_.use(epilogue_fragment(c_.plan.whole.epilogue)), row);
    if (!shares_rows()) {
      slot.bind("const auto", "emit",
                code("[&](int row, Value sum) {{ {}; }}", whole).binding({"row", "sum"}));
      return;
    }
    const Code edge = c_.edge_call(row, code("$row != {}", first_row_));
    slot.bind("const auto", "emit",
              code("[&](int row, Value sum) {{\n"
                   "  const bool is_edge = $row == {} || $row + 1 == {};\n"
                   "  if (is_edge) {{\n"
                   "    {};\n"
                   "  }} else {{\n"
                   "    {};\n"
                   "  }}\n"
                   "}}",
                   first_row_, end_row_, edge, whole)
                  .binding({"row", "sum"}),
              "The block's first and last row may have parts in its neighbours.");
  }

  /// The slots inside the block's once more, adding up instead of filling the table.
  std::vector<Slot> long_row() {
    std::vector<Slot> slots(c_.slots.begin() + static_cast<std::ptrdiff_t>(c_.table_slot),
                            c_.slots.end());
    Slot& outer = slots.front();
    outer.kind = Slot::Kind::scope;  // its bindings stay
    outer.before.clear();
    outer.after.clear();
    outer.before.push_back(local("Value", "total", "0", "One row, longer than the table."));
    Statement& sum = slots.back().after.back();
    sum.type.clear();
    sum.target = "$total";
    sum.adds = true;
    outer.after.push_back(
        local("const Value", "warp_sum", code("{}<32>($total)", c_.use("warp_total"))));
    outer.after.push_back(local("const Value", "block_sum",
                                code("{}<{}, 32>($warp_sum, {})", c_.use("shared_total"),
                                     c_.threads(), c_.table(c_.threads() / 32))));
    const char* const epilogue = epilogue_fragment(c_.plan.whole.epilogue);
    outer.after.push_back(
        call(code("{}($out, {}, $block_sum)", c_.use(epilogue), c_.origin(first_row_)),
             "threadIdx.x == 0"));
    return slots;
  }

  Composition& c_;
  std::size_t at_;
  std::string block_;         ///< the name of a part of the block level
  Code first_row_, end_row_;  ///< of the block
};

}  // namespace

TableNames fill_table(Composition& composition, std::size_t at) {
  return TableSteps(composition, at).fill();
}

}  // namespace alphasparse
