// compact: which passes make the arrays of the format smaller (the paper's model-driven format
// compression, section 5.4).
//
// Lines are never stored, whichever words stand here. Other models are tried first, then codings
// (generator/arrays/model.h, generator/arrays/coding.h). Coded values are distinguished by their
// bits, so nothing is lost. A format with coded values takes other values only where equal values
// stay equal. Values of 64 bits become floats where each of them is exactly that, and then only
// such values are taken; or everywhere, with `values=rounded`, the one pass that loses something
// (generator/arrays/stored_values.h). A pass that makes an array no smaller leaves it as it is.
#include "generator/layouts/column_steps.h"
#include "generator/layouts/layout_kind.h"
#include "operators/all_operators.h"

namespace alphasparse {

namespace {

ValueChoice value_choice(const Arguments& arguments) {
  const std::string& text = arguments.text("values");
  if (text == "coded") return ValueChoice::coded;
  if (text == "single") return ValueChoice::single;
  return text == "rounded" ? ValueChoice::rounded : ValueChoice::full;
}

CodingChoice parse_choice(const std::string& text) {
  for (const auto& [name, choice] :
       {std::pair{"fewest", CodingChoice::fewest}, std::pair{"packed", CodingChoice::packed},
        std::pair{"narrow", CodingChoice::narrow}, std::pair{"runs", CodingChoice::runs},
        std::pair{"deltas", CodingChoice::deltas}, std::pair{"bytes", CodingChoice::bytes}}) {
    if (text == name) return choice;
  }
  return CodingChoice::full;
}

CompactFacts read_facts(const Arguments& arguments) {
  CompactFacts facts;
  facts.columns = parse_choice(arguments.text("columns"));
  facts.structure = parse_choice(arguments.text("structure"));
  facts.models = arguments.text("models") == "all";
  facts.exceptions = static_cast<int>(arguments.integer("exceptions"));
  facts.values = value_choice(arguments);
  return facts;
}

std::optional<std::string> compact_applies(const Store& store, const Arguments& arguments) {
  if (store.epilogue.empty()) return "the sums have not gone to y yet; put it behind the sink";
  if (store.launch.is_set()) return "the launch is set already; put it before launch";
  if (store.compact.any()) return "the passes are chosen already";
  const CompactFacts facts = read_facts(arguments);
  const bool columns = facts.columns != CodingChoice::full;
  if (!facts.any()) return "nothing is left to make smaller";
  if (columns) {
    if (auto reason = rejection(store, request::CodeColumns{})) return reason;
  }
  if (facts.columns == CodingChoice::deltas) {
    if (const auto reason = cannot_step(store)) return *reason + "; use columns=fewest";
  }
  if (store.vector > 1 && facts.values == ValueChoice::coded) {
    return "several values are loaded at once, which codes are not; use values=full";
  }
  if (store.vector > 1 && facts.values != ValueChoice::full) {
    return "several values are loaded at once, which floats that stand for doubles are not; use "
           "values=full";
  }
  const bool columns_alone =
      facts.structure == CodingChoice::full && !facts.models && facts.values == ValueChoice::full;
  return columns_alone ? rejection(store, request::PackColumns{}) : std::nullopt;
}

void compact_apply(Store& store, const Arguments& arguments) {
  store.compact = read_facts(arguments);
}

std::optional<std::string> cannot_add_up(const Store& store, const Arguments& arguments) {
  if (arguments.text("columns") != "deltas" || store.gang() == 0) return std::nullopt;
  return "lanes that add up steps wait for each other; use columns=narrow";
}

}  // namespace

const Operator compact = {
    .name = "compact",
    .stage = Stage::implementing,
    .paper = "model-driven format compression",
    .doc = "packs arrays into as few bits as they need, and stores values as codes or as floats",
    .parameters = {{.name = "models",
                    .doc = "expressions that stand for arrays: lines only, or steps, periods and "
                           "pieces too",
                    .fallback = "all",
                    .choices = {"all", "linear"}},
                   {.name = "exceptions",
                    .doc = "entries that a model may leave to conditions",
                    .fallback = "4",
                    .least = 0,
                    .most = 16},
                   {.name = "columns",
                    .doc =
                        "fewest: of the others the one with the fewest bytes; packed: as many "
                        "bits as a chunk needs; narrow: 8 or 16 bits above a line; runs of "
                        "neighbours; bytes: 0, 8, 16 or 32 bits, as the lanes that read at once "
                        "need, 0 for a run; deltas: steps that a thread adds up, packed; full: 32 "
                        "bits each",
                    .fallback = "fewest",
                    .choices = {"fewest", "packed", "narrow", "runs", "bytes", "deltas", "full"}},
                   {.name = "structure",
                    .doc = "offsets, rows and lengths: the same",
                    .fallback = "fewest",
                    .choices = {"fewest", "packed", "narrow", "bytes", "full"}},
                   {.name = "values",
                    .doc = "coded: a dictionary where few differ; coded, single: doubles as "
                           "float if all are exact; rounded: as float in any case",
                    .fallback = "coded",
                    .choices = {"coded", "single", "rounded", "full"}}},
    .required = {},
    .provided = {},
    .invalidated = {},
    .applies = compact_applies,
    .apply = compact_apply,
    .weight = [](const WeightContext&) { return 3.0; },
    .on_cpu = {.rejects = cannot_add_up},
};

}  // namespace alphasparse
