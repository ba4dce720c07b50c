// thread_pad, warp_diagonals, block_pad, warp_pad, interleave: how the threads' non-zeros will lie
// in memory. They only record; layout.h assigns positions once, at the end.
//
// thread_pad (the paper's BMT_PAD) makes the threads of one parent as long as its longest; with
// length=own each still stops at its own end, as in ELLPACK-R (Vazquez, Fernandez, Garzon 2011).
// warp_diagonals pads a thread wherever another one of its warp has a diagonal: DIA, warp by warp
// (generator/layouts/diagonals.h). block_pad and warp_pad (BMTB_PAD, BMW_PAD) make all blocks or
// warps as wide as the widest, so that where one begins is a product and no array. interleave
// (CSR5's tile transpose, the column order of ELL and SELL) lets neighbouring threads of one parent
// read neighbours; by=ragged needs no pads where longer threads come first, as in JDS (Saad 1989).
#include <fmt/format.h>

#include "generator/facts/layout.h"
#include "generator/layouts/positions.h"
#include "operators/all_operators.h"
#include "operators/reasons.h"

namespace alphasparse {

namespace {

/// The condition of both operators: an enumerated thread level that no reduction has begun on.
std::optional<std::string> no_threads(const Store& store) {
  const LevelFacts* threads = store.level(Level::thread);
  if (!threads) return no_thread_level;
  if (store.is_reducing()) return reduction_has_begun;
  if (store.bitmap_cols > 0) return "the values of a bitmap block are packed already";
  if (threads->cut == Cut::lanes) return "lanes that share a row read neighbours already";
  if (threads->cut == Cut::merge)
    return "threads of a merge path read the rows as they lie; leave it out";
  if (threads->cut == Cut::rows && threads->rows_max > 1 && !store.by_band)
    return "a thread has several rows; use thread_rows rows=1";
  return std::nullopt;
}

/// Nor are they placed by another operator.
std::optional<std::string> cannot_pad(const Store& store) {
  if (auto why = no_threads(store)) return why;
  if (store.padded) return "the threads are padded already";
  if (store.interleaved) return "the threads are interleaved already; put it before interleave";
  return std::nullopt;
}

std::optional<std::string> pad_applies(const Store& store, const Arguments& arguments) {
  if (auto why = cannot_pad(store)) return why;
  if (store.by_band && arguments.word("length") == "own") {
    return "bands of dense blocks are read to the longest of them; use length=longest";
  }
  if (store.by_band && arguments.word("multiple") != "1") {
    return "the entries of a dense block are loaded one by one; use multiple=1";
  }
  if (store.level(Level::thread)->cut == Cut::nnz) return "threads of equal non-zeros need no pad";
  return std::nullopt;
}

void pad_apply(Store& store, const Arguments& arguments) {
  store.padded = true;
  store.own_length = arguments.word("length") == "own";
  store.multiple = static_cast<int>(arguments.integer("multiple"));
}

// More fill than this cannot pay: a slice of SELL would gather x in less time.
constexpr std::int64_t diagonal_growth_max = 4;
constexpr std::int64_t diagonal_fill_free = 1 << 19;

void diagonals_apply(Store& store, const Arguments&) { store.padded = store.diagonals = true; }

std::optional<std::string> diagonals_apply_to(const Store& store, const Arguments& arguments) {
  if (auto why = cannot_pad(store)) return why;
  const LevelFacts& threads = *store.level(Level::thread);
  if (threads.cut != Cut::rows) return "a thread has a part of a row; use thread_rows rows=1";
  if (threads.parent != Level::warp) {
    return "the threads lie in no warps, whose diagonals they could have; put warp_rows before "
           "thread_rows";
  }
  if (store.by_band) return "the threads have bands of dense blocks; use thread_pad";
  if (store.filled) return "the branch has fill, which bits leave out; put compress before it";
  if (store.mirrored)
    return "mirror images are added to the rows that columns name; use thread_pad";
  if (store.staged != StagedX::none) return "diagonals read x in order; leave stage_x out";
  if (store.gathers_x()) return "the columns were renumbered, so diagonals are no lines any more";
  Store placed = store;
  diagonals_apply(placed, arguments);
  placed.interleaved = true;
  const std::int64_t positions = stored_entries(placed);
  if (positions <= store.nnz() * diagonal_growth_max + diagonal_fill_free) return std::nullopt;
  return fmt::format(
      "the diagonals of its warps have {} positions, of {} non-zeros; use thread_pad", positions,
      store.nnz());
}

/// The threads of all units of `level` to one length.
template <Level level>
std::optional<std::string> level_pad_applies(const Store& store, const Arguments&) {
  if (!store.level(level)) {
    return fmt::format("no {0} level is open, and padded threads without {0}s have one length",
                       level_name(level));
  }
  if (auto why = no_threads(store)) return why;
  if (store.level(Level::thread)->parent != level) {
    return "the threads lie in warps; use warp_pad";
  }
  if (!store.padded) return "the threads are not padded; put thread_pad before it";
  if (store.interleaved) return "the threads are interleaved already; put it before interleave";
  if (store.one_width) return fmt::format("the {}s are padded already", level_name(level));
  return std::nullopt;
}

template <Level level>
Operator make_level_pad(std::string_view name, std::string_view paper, std::string_view about) {
  return {name,
          Stage::mapping,
          paper,
          about,
          {},
          {{Level::thread, Name::first_nz}},
          {},
          {},
          level_pad_applies<level>,
          [](Store& store, const Arguments&) { store.one_width = true; }};
}

std::optional<std::string> ragged_applies(const Store& store, const LevelFacts& threads) {
  if (threads.cut == Cut::nnz)
    return "threads of equal non-zeros leave nothing ragged; use by=equal";
  if (store.padded) return "padded threads leave nothing ragged; use by=equal";
  if (!threads.descending) {
    return "a thread has more non-zeros than the one before it; sort the rows by length first";
  }
  return std::nullopt;
}

std::optional<std::string> interleave_applies(const Store& store, const Arguments& arguments) {
  if (auto why = no_threads(store)) return why;
  if (store.mirrored && arguments.word("run") != "1") {
    return "mirror images are added one by one, but runs are loaded at once; use run=1";
  }
  if (store.interleaved) return "the threads are interleaved already";
  if (store.by_band && (arguments.word("by") != "equal" || arguments.word("run") != "1")) {
    return "the places of dense blocks lie transposed one by one; use by=equal and run=1";
  }
  const LevelFacts& threads = *store.level(Level::thread);
  const int run = static_cast<int>(arguments.integer("run"));
  if (store.diagonals && run > 1) return "a lane has one entry on a diagonal; use run=1";
  if (arguments.word("by") == "ragged") {
    if (run > 1) return "a ragged tile has no runs; use run=1";
    return ragged_applies(store, threads);
  }
  if (threads.cut != Cut::nnz && !store.padded && threads.nz_min != threads.nz_max) {
    return fmt::format("threads have from {} to {} non-zeros; put thread_pad before it{}",
                       threads.nz_min, threads.nz_max,
                       threads.descending && !store.by_band ? ", or use by=ragged" : "");
  }
  if (run > 1 && threads.cut == Cut::nnz)
    return "threads of equal non-zeros have no runs; use run=1";
  if ((store.padded ? store.multiple : threads.nz_max) % run != 0) {
    return fmt::format("the threads' lengths are no multiples of {0}; use thread_pad multiple={0}",
                       run);
  }
  return std::nullopt;
}

void interleave_apply(Store& store, const Arguments& arguments) {
  store.interleaved = true;
  store.ragged = arguments.word("by") == "ragged";
  store.run = static_cast<int>(arguments.integer("run"));
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
      .words = {"longest", "own"}},
     {.name = "multiple",
      .doc = "lengths are rounded up to a multiple of it, so that several entries load at once",
      .fallback = "1",
      .words = {"1", "2", "4"},
      .modelled = false}},
    {{Level::thread, Name::first_nz}},
    {},
    {},
    pad_applies,
    pad_apply,
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
    diagonals_apply_to,
    diagonals_apply,
};

const Operator block_pad = make_level_pad<Level::block>(
    "block_pad", "BMTB_PAD", "pads the threads of all blocks to the longest of them");
const Operator warp_pad = make_level_pad<Level::warp>(
    "warp_pad", "BMW_PAD", "pads the threads of all warps to the longest of them");

const Operator interleave = {
    "interleave",
    Stage::mapping,
    "INTERLEAVED_STORAGE",
    "stores the threads of one parent transposed, so that neighbours read neighbours",
    {{.name = "by",
      .doc = "equal: threads of one length; ragged: without pads, longer threads come first",
      .fallback = "equal",
      .words = {"equal", "ragged"}},
     {.name = "run",
      .doc = "neighbouring entries of a thread that stay together, to be loaded at once",
      .fallback = "1",
      .words = {"1", "2", "4"},
      .modelled = false}},
    {{Level::thread, Name::first_nz}},
    {},
    {},
    interleave_applies,
    interleave_apply,
};

}  // namespace alphasparse
