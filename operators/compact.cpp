// compact: which passes make the arrays of the format smaller (the paper's model-driven format
// compression, section 5.4).
//
// Arithmetic progressions are never stored, whatever stands here. Packed arrays are cut into
// chunks, each with a base and as many bits an entry as it needs (packed.h).
#include "operators/all_operators.h"

namespace alphasparse {

namespace {

std::optional<std::string> applies(const Store& store, const Arguments& arguments) {
  if (store.sink.empty()) return "the sums have not gone to y yet; put it behind the sink";
  if (store.launch.threads != 0) return "the launch is set already; put it before launch";
  if (store.compact.any()) return "the passes are chosen already";
  if (arguments.word("columns") == "full" && arguments.word("structure") == "full") {
    return "nothing is left to pack";
  }
  if (store.vector > 1 && arguments.word("columns") == "packed") {
    return "several columns are loaded at once, which packed ones are not; use columns=full";
  }
  if (store.bitmap_cols > 0 && arguments.word("structure") == "full") {
    return "bitmap blocks have no columns to pack; use structure=packed";
  }
  return std::nullopt;
}

void apply(Store& store, const Arguments& arguments) {
  store.compact.columns = arguments.word("columns") == "packed";
  store.compact.structure = arguments.word("structure") == "packed";
}

}  // namespace

const Operator compact = {
    .name = "compact",
    .stage = Stage::implementing,
    .paper = "model-driven format compression",
    .about = "packs arrays into chunks of as few bits as they need, where that makes them smaller",
    .parameters = {{.name = "columns",
                    .doc = "packed: in chunks with a base; full: 32 bits each",
                    .fallback = "packed",
                    .words = {"packed", "full"}},
                   {.name = "structure",
                    .doc = "offsets, rows and lengths: packed in chunks around a line, or full",
                    .fallback = "packed",
                    .words = {"packed", "full"}}},
    .required = {},
    .provided = {},
    .invalidated = {},
    .applies = applies,
    .apply = apply,
};

}  // namespace alphasparse
