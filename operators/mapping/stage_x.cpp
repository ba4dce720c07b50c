// stage_x: each block reads its slice of x once, into shared memory, and its products find x there.
//
// It pays where the rows of a block share columns, as in bands and dense neighbourhoods. The caches
// see every element of the slice once a block, and a stored column is a small number. Source: the
// texture and shared-memory tiles of x in early SpMV kernels (Baskaran, Bordawekar 2009).
#include "generator/layouts/layout_kind.h"
#include "operators/all_operators.h"
#include "operators/reasons.h"

namespace alphasparse {

namespace {

std::optional<std::string> stage_x_applies(const Store& store, const Arguments&) {
  if (!store.level(Level::block)) return "no block level is open; put block_rows before it";
  if (store.is_reducing()) return reduction_has_begun;
  if (store.staged != StagedX::none) return "the blocks' slices of x are staged already";
  if (store.mirrored()) return "mirror images are added to the rows that columns name";
  return rejection(store, request::StageX{});
}

void stage_x_apply(Store& store, const Arguments& arguments) {
  store.staged = arguments.text("columns") == "listed" ? StagedX::listed : StagedX::range;
}

}  // namespace

const Operator stage_x = {
    .name = "stage_x",
    .stage = Stage::mapping,
    .paper = "new",
    .doc = "each block brings its slice of x into shared memory, where its products find it",
    .parameters = {{.name = "columns",
                    .doc = "range: from the block's least column to its greatest; listed: those "
                           "that it has, from a list",
                    .fallback = "range",
                    .choices = {"range", "listed"}}},
    .required = {{Level::block, Name::first_nz}},
    .provided = {},
    .invalidated = {},
    .applies = stage_x_applies,
    .apply = stage_x_apply,
    .weight = [](const WeightContext&) { return 0.5; },
    .on_cpu = {.lacks = "a core's cache holds the slice of x already; leave it out", .instead = ""},
};

}  // namespace alphasparse
