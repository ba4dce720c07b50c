#include "generator/layouts/entry_terms.h"

#include <fmt/format.h>

#include <utility>

#include "generator/code/composition.h"
#include "generator/layouts/wide_loads.h"

namespace alphasparse {

namespace {

class TermWriter {
 public:
  explicit TermWriter(Composition& composition) : c_(composition) {}

  /// Writes the functor for a body that knows the columns.
  Code write_for_columns() {
    if (c_.store.mirrored()) return bind_mirrored_term(false);
    c_.format.read("value", "entry");
    c_.slots[0].bind(
        "const auto", "term",
        code("[&](int entry, int column) {{ return $f.value(entry) * {}; }}", x_at("column")));
    return {};
  }

  Code write(bool whole_runs) {
    if (passes(c_.store.chain(), Role::terms)) {
      bind_vector_terms();
    } else if (c_.store.vector > 1) {
      bind_vector_term();
    } else if (c_.store.mirrored()) {
      return c_.store.on_cpu() ? bind_mirrored_row() : bind_mirrored_term(true);
    } else if (c_.store.compact.columns == CodingChoice::deltas) {
      bind_stepping_term();
    } else if (c_.gang > 0) {
      bind_lanes_term(whole_runs);
    } else {
      bind_plain_term();
    }
    return {};
  }

 private:
  void bind_plain_term() {
    c_.format.read("value", "entry");
    const Code column = c_.format.read("column", "entry");
    if (c_.plan.layout.predicated) {
      c_.slots[0].bind("const auto", "term",
                       code("[&](int entry) {{\n"
                            "  const int column = {};\n"
                            "{}"
                            "}}",
                            column, product_or_zero("$f.value(entry)")),
                       "A pad of an empty row has column -1 and adds nothing.");
    } else {
      c_.slots[0].bind("const auto", "term",
                       code("[&](int entry) {{ return $f.value(entry) * {}; }}", x_at(column)));
    }
  }

  /// Neighbouring entries, one a lane.
  void bind_lanes_term(bool whole_runs) {
    const bool predicated = c_.plan.layout.predicated;
    const std::string gather = c_.use(predicated                     ? "gather_or_zero"
                                      : c_.store.gathers_by_hardware ? "gather_by_hardware"
                                                                     : "gather");
    const Code value = c_.format.read_lanes("value", "entry", whole_runs);
    const Code column = c_.format.read_lanes("column", "entry", whole_runs);
    c_.slots[0].bind("const auto", "term",
                     code("[&](auto entry) {{ return {} * {}($x, {}); }}", value, gather, column),
                     predicated ? "Fill of an empty row has column -1 and adds nothing." : "");
  }

  /// The thread knows its column, and each entry says how far the next one is.
  void bind_stepping_term() {
    const std::string part = part_name(c_.store, c_.thread_level());
    Slot& slot = c_.slots.back();
    slot.bind("int", "column", c_.format.read(part + "_first_column", Code::named(part)));
    const Code step = c_.format.read("column_step", "entry");
    Code text = "[&](int entry) {\n";
    if (!(step == "0")) text += code("  column += {};\n", step);
    const Code value = c_.format.read("value", "entry");
    text += c_.plan.layout.predicated ? product_or_zero(value)
                                      : code("  return {} * {};\n", value, x_at("column"));
    slot.bind(
        "const auto", "term", text.read_too("$column") + "}",
        c_.plan.layout.predicated ? "Pads of an empty row keep column -1 and add nothing." : "");
  }

  /// The entries of a row and of its mirror images, for the fragment that adds them up.
  Code bind_mirrored_row() {
    const Code row = c_.row_of_y(c_.store.part_of_row());
    c_.slots[0].bind("const auto", "column_of",
                     c_.functor("entry", c_.format.read("column", Code::named("entry"))));
    c_.slots[0].bind("const auto", "value_of",
                     c_.functor("entry", c_.format.read("value", Code::named("entry"))));
    c_.slots[0].bind("const auto", "image_of",
                     code("[](auto value) {{ return {}; }}", mirror_kind(c_.store.mirror).image));
    if (row == c_.row) return {};
    c_.slots.back().bind("const int", "y_row", row);
    return row;
  }

  /// A product for the entry's own row, and another one for the row of its mirror image. It stands
  /// where the row is known; a lane without a row calls it for none.
  Code bind_mirrored_term(bool reads_column) {
    Slot& slot = c_.slots.back();
    const auto guarded = [&](const Code& read, const char* otherwise) {
      return c_.predicate.empty() ? read : code("{} ? {} : {}", c_.predicate, read, otherwise);
    };
    const Code row = c_.row_of_y(c_.store.part_of_row());
    Code name = row, y_row;
    if (!(row == c_.row)) {
      slot.bind("const int", "y_row", guarded(row, "0"));
      name = "$y_row";
      y_row = row;
    }
    const Code scaled_x = code("$out.alpha * $x[{}]", name);
    slot.bind("const Value", "scaled_x", name == row ? guarded(scaled_x, "Value(0)") : scaled_x);
    const bool predicated = c_.plan.layout.predicated;
    Code text = "[&](int entry, int column) {\n";
    if (reads_column) {
      text = code("[&](int entry) {{\n  const int {} = {};\n", predicated ? "stored" : "column",
                  c_.format.read("column", "entry"));
    }
    if (predicated) text += code("  const int column = stored < 0 ? {} : stored;\n", name);
    const bool parts = c_.format.operands().has_parts();
    text += code(
        "  const {} value = {}{} other = $x[column];\n"
        "  {}($out, {}, column, {} * $scaled_x);\n"
        "  return {}value * other;\n"
        "}}",
        c_.format.operands().value_type(), c_.format.read("value", "entry"),
        parts ? ";\n  const Value" : ",", c_.use("mirror_add"), name,
        mirror_kind(c_.store.mirror).image, predicated ? "stored < 0 ? Value(0) : " : "");
    slot.bind("const auto", "term", text,
              predicated ? "A pad of an empty row stands on the diagonal and adds nothing." : "");
    return y_row;
  }

  /// The end of a term where `column` may be -1: it is 0 then, for any x.
  Code product_or_zero(const Code& value) const { return c_.writer.product_or_zero(c_, value); }

  Code x_at(const Code& column) const { return c_.x_at(column); }

  /// The sum of neighbouring products.
  void bind_vector_term() {
    Code text = "[&](int entry) {\n";
    const auto [columns, values] = load_entries(text);
    const auto width = static_cast<int>(values.size());
    const bool predicated = c_.plan.layout.predicated;
    const bool chosen = predicated && !c_.plan.staged;
    if (predicated) text += "  // A pad of an empty row has column -1 and adds nothing.\n";
    if (predicated && !chosen) text += "  if (column.x < 0) return Value(0);\n";
    text += chosen ? "  const Value products = " : "  return ";
    for (int k = 0; k < width; ++k) {
      text += code("{}{} * {}",
                   k == 0       ? ""
                   : k % 2 == 0 ? " +\n      "
                                : " + ",
                   values[k], x_at(chosen ? code("max({}, 0)", columns[k]) : columns[k]));
    }
    if (chosen) text += ";\n  return column.x < 0 ? Value(0) : products";
    c_.slots[0].bind("const auto", "term", text + ";\n}", loaded_at_once());
  }

  /// Neighbouring products, each for itself: their rows may differ.
  void bind_vector_terms() {
    Code text = "[&](int entry, Value* products) {\n";
    const auto [columns, values] = load_entries(text);
    if (c_.plan.layout.predicated)
      text += "  // Fill of an empty row has column -1 and adds nothing.\n";
    for (std::size_t k = 0; k < values.size(); ++k) text += product_text(k, columns[k], values[k]);
    c_.slots[0].bind("const auto", "terms", text + "}", loaded_at_once());
  }

  /// Puts the product into its place.
  Code product_text(std::size_t k, const Code& column, const Code& value) const {
    if (!c_.plan.layout.predicated)
      return code("  products[{}] = {} * {};\n", k, value, x_at(column));
    if (c_.plan.staged)
      return code("  products[{}] = {} < 0 ? Value(0) : {} * {};\n", k, column, value,
                  x_at(column));
    return code(
        "  products[{0}] = {1} * {2};\n"
        "  if ({3} < 0) products[{0}] = 0;\n",
        k, value, x_at(code("max({}, 0)", column)), column);
  }

  std::string loaded_at_once() const {
    return fmt::format("{0} neighbours are loaded at once: they begin at a multiple of {0}.",
                       c_.store.vector);
  }

  /// The names of columns and of values.
  struct Entries {
    std::vector<Code> columns, values;
  };

  /// Appends the loads of a thread's next entries, which are at most 16 bytes wide.
  Entries load_entries(Code& text) {
    std::vector<Code> columns = load_neighbours(c_, "column", c_.store.vector, text);
    return {std::move(columns), load_neighbours(c_, "value", c_.store.vector, text)};
  }

  Composition& c_;
};

}  // namespace

Code bind_entry_term(Composition& composition, bool whole_runs) {
  return TermWriter(composition).write(whole_runs);
}

Code bind_known_column_term(Composition& composition) {
  return TermWriter(composition).write_for_columns();
}

}  // namespace alphasparse
