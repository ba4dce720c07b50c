// thread_pad, warp_diagonals, block_pad, warp_pad, interleave: how the threads' non-zeros will lie
// in memory. They ask the layout for a change; positions are assigned once, at the end.
//
// thread_pad (the paper's BMT_PAD) makes the threads of one parent as long as its longest; with
// length=own each still stops at its own end, as in ELLPACK-R (Vazquez, Fernandez, Garzon 2011).
// Where lanes share rows, multiple= pads each row by itself, so that a lane loads neighbours at
// once (generator/layouts/kinds/padded_rows.cpp). warp_diagonals pads a thread wherever another one
// of its warp has a diagonal: DIA, warp by warp (generator/layouts/kinds/diagonals.h). block_pad
// and warp_pad (BMTB_PAD, BMW_PAD) make all blocks or warps as wide as the widest, so that where
// one begins is a product and no array. interleave (CSR5's tile transpose, the column order of ELL
// and SELL) lets neighbouring threads of one parent read neighbours. by=ragged needs no pads where
// longer threads come first, as in JDS (Saad 1989). Neighbours in a dense block stay together in
// runs: a GPU loads their values at once, a CPU the elements of x of a row's columns; run=cols
// makes one run of each row of a block.
#include <fmt/format.h>

#include "generator/layouts/layout_kind.h"
#include "operators/all_operators.h"
#include "operators/reasons.h"
#include "operators/targets.h"

namespace alphasparse {

namespace {

/// Why no operator can place threads any more, or the layout rules the request out.
std::optional<std::string> cannot_ask(const Store& store, const Request& request) {
  if (!store.level(Level::thread)) return no_thread_level;
  if (store.is_reducing()) return reduction_has_begun;
  if (store.mirrored() && store.on_cpu())
    return "lanes may add mirror images to the same row, so that threads read their rows as they "
           "lie; leave it out";
  return rejection(store, request);
}

request::Pad to_pad(const Arguments& arguments) {
  return {arguments.text("length") == "own", static_cast<int>(arguments.integer("multiple"))};
}

request::Transpose to_transpose(const Arguments& arguments) {
  const bool whole = arguments.text("run") == "cols";
  return {arguments.text("by") == "ragged", whole ? 0 : static_cast<int>(arguments.integer("run"))};
}

/// The threads of all parts of `level` to one length.
template <Level level>
std::optional<std::string> level_pad_applies(const Store& store, const Arguments&) {
  if (!store.level(level)) {
    return fmt::format("no {0} level is open, and padded threads without {0}s have one length",
                       level_name(level));
  }
  return cannot_ask(store, request::Widen{level});
}

template <Level level>
Operator make_level_pad(std::string_view name, std::string_view paper, std::string_view doc) {
  return {name,
          Stage::mapping,
          paper,
          doc,
          {},
          {{Level::thread, Name::first_nz}},
          {},
          {},
          level_pad_applies<level>,
          [](Store& store, const Arguments&) { change_layout(store, request::Widen{level}); }};
}

}  // namespace

const Operator thread_pad = {
    "thread_pad",
    Stage::mapping,
    "BMT_PAD",
    "pads the threads of one parent to the longest of them",
    {{.name = "length",
      .doc = "where a thread stops: with the longest, or at its own end (pads are never read)",
      .fallback = "longest",
      .choices = {"longest", "own"},
      .choices_on_cpu = {"longest"},
      .cpu_reason = "lanes of a gang end together; use length=longest"},
     {.name = "multiple",
      .doc = "lengths are rounded up to a multiple of it, so that several entries load at once; "
             "where lanes share rows, those of the rows are",
      .fallback = "1",
      .choices = {"1", "2", "4"},
      .modelled = false,
      .choices_on_cpu = {"1"},
      .cpu_reason = "a gang loads entries side by side; use multiple=1"}},
    {},
    {},
    {},
    [](const Store& store, const Arguments& arguments) {
      return cannot_ask(store, to_pad(arguments));
    },
    [](Store& store, const Arguments& arguments) { change_layout(store, to_pad(arguments)); },
    [](const WeightContext& at) { return 0.3 + 4 / (1 + 2 * at.spread); },
};

const Operator warp_diagonals = {
    "warp_diagonals",
    Stage::mapping,
    "new: diagonals of warps",
    "lines the rows of each warp up by the diagonals that they touch, which read x in order",
    {},
    {{Level::thread, Name::first_nz}, {Level::warp, Name::first_child}},
    {},
    {},
    [](const Store& store, const Arguments&) { return cannot_ask(store, request::LineUp{}); },
    [](Store& store, const Arguments&) { change_layout(store, request::LineUp{}); },
    [](const WeightContext& at) { return 0.5 + 3 * at.diagonal_share; },
};

const Operator block_pad = weighed(
    make_level_pad<Level::block>("block_pad", "BMTB_PAD",
                                 "pads the threads of all blocks to the longest of them"),
    [](const WeightContext&) { return 0.5; }, OnCpu{.lacks = no_blocks, .instead = ""});
const Operator warp_pad =
    weighed(make_level_pad<Level::warp>("warp_pad", "BMW_PAD",
                                        "pads the threads of all warps to the longest of them"),
            [](const WeightContext&) { return 0.5; });

const Operator interleave = {
    "interleave",
    Stage::mapping,
    "INTERLEAVED_STORAGE",
    "stores the threads of one parent transposed, so that neighbours read neighbours",
    {{.name = "by",
      .doc = "equal: threads of one length; ragged: without pads, longer threads come first",
      .fallback = "equal",
      .choices = {"equal", "ragged"}},
     {.name = "run",
      .doc = "neighbouring entries of a thread, or values of a dense block, that stay together, to "
             "be loaded at once; on a CPU columns of a block's row, with their x; cols: all of the "
             "row",
      .fallback = "1",
      .choices = {"1", "2", "4", "cols"},
      .modelled = false,
      .choices_on_gpu = {"1", "2", "4"},
      // Whole rows of blocks were the fastest runs everywhere (runtime/cpu/README.md).
      .choices_on_cpu = {"1", "cols"}}},
    {{Level::thread, Name::first_nz}},
    {},
    {},
    [](const Store& store, const Arguments& arguments) {
      return cannot_ask(store, to_transpose(arguments));
    },
    [](Store& store, const Arguments& arguments) { change_layout(store, to_transpose(arguments)); },
    [](const WeightContext&) { return 8.0; },
};

}  // namespace alphasparse
