#include "generator/layouts/kinds/block_bindings.h"

#include <fmt/format.h>

#include "generator/code/composition.h"
#include "generator/layouts/kinds/dense_blocks.h"
#include "generator/layouts/wide_loads.h"

namespace alphasparse {

namespace {

class BlockLets {
 public:
  explicit BlockLets(Composition& composition) : c_(composition) {}

  Code add() {
    if (c_.store.mirrored()) return add_mirrored();
    bind_functor("column_of", "block", "block_first_col", false);
    if (c_.store.vector > 1)
      bind_values();
    else
      bind_functor("value_of", "entry", "value", c_.store.layout_as<Bands>()->run > 1);
    if (has_gaps(c_.store)) bind_term();
    bind_emit();
    return {};
  }

 private:
  /// Of one triangle: the values of columns are loaded at once, or one by one.
  Code add_mirrored() {
    Slot& slot = c_.slots.back();
    const int rows = band_rows(c_.store);
    const bool is_whole = c_.store.rows() % rows == 0;
    const Code thread = Code::named(part_name(c_.store, c_.thread_level()));
    const Code row = rows == 1 ? thread : code("{} * {}", rows, thread);
    slot.bind("const int", "y_row", row);
    bind_functor("column_of", "block", "block_first_col", false);
    c_.format.read("value", "entry");
    c_.slots[0].bind(
        "const auto", "value_of",
        code("[&](auto entry) {{ return {}; }}", c_.format.read_runs("value", "entry")));
    const Code has = has_gaps(c_.store)
                         ? code("({} >> cell & 1u) != 0", c_.format.read("stored_places", "block"))
                         : Code("true");
    c_.slots[0].bind("const auto", "has_cell",
                     code("[&]({}) {{ return {}; }}",
                          has_gaps(c_.store) ? "int block, int cell" : "int, int", has),
                     "Fill has no bit.");
    const char* const sign = c_.store.mirror == Mirror::negated ? "-" : "";
    const Code scaled = code("return {}$out.alpha * $x[$y_row + band_row];", sign);
    slot.bind("const auto", "image_x",
              is_whole ? code("[&](int band_row) {{ {} }}", scaled)
                       : code("[&](int band_row) {{\n"
                              "  if ($y_row + band_row >= {}) return Value(0);\n"
                              "  {}\n"
                              "}}",
                              c_.store.rows(), scaled));
    bind_emit();
    return row;
  }

  /// A functor of an index, or, for a gang, of a Run of indices. With `in_runs` a lane reads
  /// several neighbours. A Run is then longer than the gang.
  void bind_functor(const std::string& name, const std::string& index, const std::string& array,
                    bool in_runs) {
    if (c_.gang == 0) {
      c_.slots[0].bind("const auto", name,
                       c_.functor(index, c_.format.read(array, Code::named(index))));
      return;
    }
    const Code at = Code::named(index);
    const Code read =
        in_runs ? c_.format.read_runs(array, at) : c_.format.read_lanes(array, at, true);
    c_.slots[0].bind("const auto", name,
                     code("[&](auto {}) {{ return {}; }}", index, read).binding({index}));
  }

  /// A functor of a position, a multiple of the values that it loads at once.
  void bind_values() {
    const int width = c_.store.vector;
    Code text = "[&](int entry) {\n", list;
    for (const Code& value : load_neighbours(c_, "value", width, text))
      list += list.empty() ? value : code(", {}", value);
    text += code("  return Neighbours<{}>{{{{{}}}}};\n}}", width, list);
    c_.slots[0].bind("const auto", "values_of", text,
                     fmt::format("{} neighbouring values of a block are loaded at once.", width));
  }

  /// The product at a cell of a block, without those that the row does not have. Where the
  /// functors load several values, it reads single entries itself.
  void bind_term() {
    const bool lanes = c_.gang > 0;
    const bool at_once = lanes || c_.store.vector > 1;
    const Code value = at_once ? c_.format.read("value", "entry") : "$value_of(entry)";
    const Code column = lanes ? c_.format.read("block_first_col", "block") : "$column_of(block)";
    const Code cell = code("{} + cell % {}", column, block_width(c_.store));
    c_.slots[0].bind("const auto", "term",
                     code("[&](int entry, int block, int cell) {{\n"
                          "  if (({} >> cell & 1u) == 0) return Value(0);\n"
                          "  return {} * $x[{}];\n"
                          "}}",
                          c_.format.read("stored_places", "block"), value, cell),
                     "Fill and pads have no bit, and add nothing.");
  }

  /// The sum of row `band_row` of the thread's band goes to y.
  void bind_emit() {
    const Code thread = Code::named(part_name(c_.store, c_.thread_level()));
    const std::string epilogue = c_.use(epilogue_fragment(c_.plan.whole.epilogue));
    const int rows = band_rows(c_.store);
    const bool is_whole = c_.store.rows() % rows == 0;
    const auto row_of = [&](const Code& one) {
      return rows == 1 ? code("{} + band_row", one) : code("{} * {} + band_row", rows, one);
    };
    Code text;
    if (c_.gang > 0) {
      Code threads = thread;
      if (!is_whole)
        threads += code(".below(({} - band_row) / {})", c_.store.rows() + rows - 1, rows);
      text = code(
          "[&](int band_row, const auto& sum) {{\n"
          "  const auto row_of = [&](int one) {{ return {}; }};\n"
          "  {}($out, asked({}, row_of), sum);\n"
          "}}",
          c_.origin(row_of("one")), epilogue, threads);
    } else {
      const Code guard = is_whole ? "" : code("if ({} < {}) ", row_of(thread), c_.store.rows());
      text = code("[&](int band_row, Value sum) {{\n  {}{}($out, {}, sum);\n}}", guard, epilogue,
                  c_.origin(row_of(thread)));
    }
    c_.slots.back().bind("const auto", "emit", text,
                         is_whole ? "" : "The last band has fewer rows.");
  }

  Composition& c_;
};

}  // namespace

Code bind_blocks(Composition& composition) { return BlockLets(composition).add(); }

}  // namespace alphasparse
