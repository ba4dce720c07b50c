// compress: drops the positions that are not stored (never a stored zero); the paper's COMPRESS.
//
// The root store holds stored entries only, so nothing moves there; a peel may have listed more in
// its branch. From here on levels are cut from the sequence of non-zeros. With `blocks`, the rows
// of a CPU's design lie in blocks of neighbouring columns (generator/layouts/kinds/mix.cpp).
#include "generator/layouts/layout_kind.h"
#include "operators/all_operators.h"

namespace alphasparse {

namespace {

std::optional<std::string> compress_applies(const Store& store, const Arguments& arguments) {
  if (store.compressed) return "the matrix is compressed already";
  if (!store.levels().empty())
    return "positions cannot go once a level is cut; put it before the first cut";
  if (arguments.integer("blocks") > 1) return rejection(store, request::Split{});
  if (arguments.text("share") == "50") return std::nullopt;
  return "share= is of a block, but blocks=1 has none; leave it out";
}

void compress_apply(Store& store, const Arguments& arguments) {
  if (store.filled) store.drop_fill();
  store.compressed = true;
  const auto cols = static_cast<int>(arguments.integer("blocks"));
  if (cols == 1) return;
  store.blocks = {};  // a branch without fill may have bands of dense blocks
  const auto share = static_cast<int>(arguments.integer("share"));
  store.layout = Mix{cols, (cols * share + 99) / 100};
}

}  // namespace

const Operator compress = {
    "compress",
    Stage::converting,
    "COMPRESS",
    "drops the positions that are not stored; the non-zeros become one sequence to cut",
    {{.name = "blocks",
      .doc = "columns of the blocks that rows lie in, before their single entries; 1: no blocks",
      .fallback = "1",
      .choices = {"1", "2", "4", "8"},
      .only_on = Target::cpu},
     {.name = "share",
      .doc = "percent of a block that is stored, at least",
      .fallback = "50",
      .choices = {"25", "50", "75", "100"},
      .only_on = Target::cpu}},
    {{Level::matrix, Name::row_first_nz}, {Level::matrix, Name::nz_col}},
    {},
    {{Level::matrix, Name::row_first_nz},
     {Level::matrix, Name::nz_col},
     {Level::matrix, Name::value_source}},
    compress_applies,
    compress_apply,
    [](const WeightContext&) { return 10.0; },
};

}  // namespace alphasparse
