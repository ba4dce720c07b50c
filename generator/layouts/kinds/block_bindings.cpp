#include "generator/layouts/kinds/block_bindings.h"

#include <fmt/format.h>

#include "generator/code/composition.h"
#include "generator/layouts/kinds/dense_blocks.h"

namespace alphasparse {

namespace {

class BlockLets {
 public:
  explicit BlockLets(Composition& composition) : c_(composition) {}

  void add() {
    bind_functor("column_of", "block", "block_first_col");
    bind_functor("value_of", "entry", "value");
    if (has_gaps(c_.store)) {
      c_.format.add_words("stored_places", c_.plan.layout.blocks->bits,
                          fmt::format("bit r * {} + c: row r of the block has its column c",
                                      block_width(c_.store)));
      bind_term();
    }
    bind_emit();
  }

 private:
  /// A functor of an index, or, for a gang, of a Run of indices.
  void bind_functor(const std::string& name, const std::string& index, const std::string& array) {
    if (c_.gang == 0) {
      c_.slots[0].bind("const auto " + name, c_.functor(index, c_.format.read(array, index)));
      return;
    }
    c_.slots[0].bind("const auto " + name, fmt::format("[&](auto {}) {{ return {}; }}", index,
                                                       c_.format.read_lanes(array, index, true)));
  }

  /// The product at a place of a block, without those that the row does not have. Where a gang has
  /// the functors for runs, it reads single entries itself.
  void bind_term() {
    const bool lanes = c_.gang > 0;
    const std::string value = lanes ? c_.format.read("value", "entry") : "value_of(entry)";
    const std::string column =
        lanes ? c_.format.read("block_first_col", "block") : "column_of(block)";
    const std::string place = fmt::format("{} + place % {}", column, block_width(c_.store));
    c_.slots[0].bind("const auto term",
                     fmt::format("[&](int entry, int block, int place) {{\n"
                                 "  if (({} >> place & 1u) == 0) return Value(0);\n"
                                 "  return {} * x[{}];\n"
                                 "}}",
                                 c_.format.read("stored_places", "block"), value, place),
                     "Fill and pads have no bit, and add nothing.");
  }

  /// The sum of row `place` of the thread's band goes to y.
  void bind_emit() {
    const std::string thread = unit_name(c_.store, c_.thread_level());
    const std::string sink = c_.use(sink_fragment(c_.plan.whole.sink));
    const int rows = band_rows(c_.store);
    const bool is_whole = c_.store.rows() % rows == 0;
    const auto row_of = [&](const std::string& one) {
      return rows == 1 ? fmt::format("{} + place", one) : fmt::format("{} * {} + place", rows, one);
    };
    std::string text;
    if (c_.gang > 0) {
      std::string threads = thread;
      if (!is_whole) {
        threads += fmt::format(".below(({} - place) / {})", c_.store.rows() + rows - 1, rows);
      }
      text = fmt::format(
          "[&](int place, const auto& sum) {{\n"
          "  const auto row_of = [&](int one) {{ return {}; }};\n"
          "  {}(out, asked({}, row_of), sum);\n"
          "}}",
          c_.origin(row_of("one")), sink, threads);
    } else {
      const std::string guard =
          is_whole ? "" : fmt::format("if ({} < {}) ", row_of(thread), c_.store.rows());
      text = fmt::format("[&](int place, Value sum) {{\n  {}{}(out, {}, sum);\n}}", guard, sink,
                         c_.origin(row_of(thread)));
    }
    c_.slots.back().bind("const auto emit", text, is_whole ? "" : "The last band has fewer rows.");
  }

  Composition& c_;
};

}  // namespace

std::string bind_blocks(Composition& composition) {
  BlockLets(composition).add();
  return "";
}

}  // namespace alphasparse
