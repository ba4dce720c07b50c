// compact: which passes make the arrays of the format smaller (the paper's model-driven format
// compression, section 5.4).
//
// Arithmetic progressions are never stored, whatever stands here. Packed arrays are cut into
// chunks, each with a base and as many bits an entry as it needs (packed.h). Coded values are told
// apart by their bits, so nothing is lost; a format with them takes other values only where those
// that were equal stay so. Values of 64 bits become floats where each of them is exactly that, and
// then only such values are taken; or everywhere, with `values=rounded`, the one pass that loses
// something (stored_values.h). A pass that makes an array no smaller leaves it as it is.
#include "operators/all_operators.h"

namespace alphasparse {

namespace {

ValueChoice value_choice(const Arguments& arguments) {
  const std::string& word = arguments.word("values");
  if (word == "coded") return ValueChoice::coded;
  if (word == "single") return ValueChoice::single;
  return word == "rounded" ? ValueChoice::rounded : ValueChoice::full;
}

std::optional<std::string> applies(const Store& store, const Arguments& arguments) {
  if (store.sink.empty()) return "the sums have not gone to y yet; put it behind the sink";
  if (store.launch.threads != 0) return "the launch is set already; put it before launch";
  if (store.compact.any()) return "the passes are chosen already";
  if (arguments.word("columns") == "full" && arguments.word("structure") == "full" &&
      arguments.word("values") == "full") {
    return "nothing is left to make smaller";
  }
  if (store.vector > 1 && arguments.word("columns") == "packed") {
    return "several columns are loaded at once, which packed ones are not; use columns=full";
  }
  if (store.vector > 1 && arguments.word("values") == "coded") {
    return "several values are loaded at once, which codes are not; use values=full";
  }
  if (store.vector > 1 && arguments.word("values") != "full") {
    return "several values are loaded at once, which floats that stand for doubles are not; use "
           "values=full";
  }
  if (store.bitmap_cols > 0 && arguments.word("structure") == "full" &&
      arguments.word("values") == "full") {
    return "bitmap blocks have no columns to pack; use structure=packed";
  }
  return std::nullopt;
}

void apply(Store& store, const Arguments& arguments) {
  store.compact.columns = arguments.word("columns") == "packed";
  store.compact.structure = arguments.word("structure") == "packed";
  store.compact.values = value_choice(arguments);
}

}  // namespace

const Operator compact = {
    .name = "compact",
    .stage = Stage::implementing,
    .paper = "model-driven format compression",
    .about = "packs arrays into as few bits as they need, and stores values as codes or as floats",
    .parameters = {{.name = "columns",
                    .doc = "packed: in chunks with a base; full: 32 bits each",
                    .fallback = "packed",
                    .words = {"packed", "full"}},
                   {.name = "structure",
                    .doc = "offsets, rows and lengths: packed in chunks around a line, or full",
                    .fallback = "packed",
                    .words = {"packed", "full"}},
                   {.name = "values",
                    .doc = "coded: a dictionary where few differ; coded, single: doubles as "
                           "float if all are exact; rounded: as float in any case",
                    .fallback = "coded",
                    .words = {"coded", "single", "rounded", "full"}}},
    .required = {},
    .provided = {},
    .invalidated = {},
    .applies = applies,
    .apply = apply,
};

}  // namespace alphasparse
