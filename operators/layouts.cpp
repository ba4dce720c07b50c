// thread_pad, interleave: how the threads' non-zeros will lie in memory. Both only record; layout.h
// assigns positions once, at the end.
//
// thread_pad (the paper's BMT_PAD) makes the threads of one parent as long as its longest.
// interleave (CSR5's tile transpose, the column order of ELL and SELL) lets neighbouring threads of
// one parent read neighbours.
#include <fmt/format.h>

#include "operators/all_operators.h"

namespace alphasparse {

namespace {

/// What both need: an enumerated thread level that no reduction has begun on.
std::optional<std::string> no_threads(const Store& store) {
  const LevelFacts* threads = store.level(Level::thread);
  if (!threads) return "no thread level is open";
  if (!store.chain.empty()) return "the reduction has begun already";
  if (threads->cut == Cut::lanes) return "lanes that share a row read neighbours already";
  if (threads->cut == Cut::merge) return "threads of a merge path differ in their non-zeros";
  if (threads->cut == Cut::rows && threads->rows_max > 1) return "a thread has several rows";
  return std::nullopt;
}

std::optional<std::string> pad_applies(const Store& store, const Arguments&) {
  if (auto why = no_threads(store)) return why;
  if (store.padded) return "the threads are padded already";
  if (store.interleaved) return "it must stand before interleave";
  if (store.level(Level::thread)->cut == Cut::nnz) return "threads of equal non-zeros need no pad";
  return std::nullopt;
}

std::optional<std::string> interleave_applies(const Store& store, const Arguments&) {
  if (auto why = no_threads(store)) return why;
  if (store.interleaved) return "the threads are interleaved already";
  const LevelFacts& threads = *store.level(Level::thread);
  if (threads.cut != Cut::nnz && !store.padded && threads.nz_min != threads.nz_max) {
    return fmt::format("threads have from {} to {} non-zeros; put thread_pad before it",
                       threads.nz_min, threads.nz_max);
  }
  return std::nullopt;
}

}  // namespace

const Operator thread_pad = {
    "thread_pad", Stage::mapping,
    "BMT_PAD",    "pads the threads of one parent to the longest of them",
    {},           {{Level::thread, Name::first_nz}},
    {},           {},
    pad_applies,  [](Store& store, const Arguments&) { store.padded = true; },
};

const Operator interleave = {
    "interleave",
    Stage::mapping,
    "INTERLEAVED_STORAGE",
    "stores the threads of one parent transposed, so that neighbours read neighbours",
    {},
    {{Level::thread, Name::first_nz}},
    {},
    {},
    interleave_applies,
    [](Store& store, const Arguments&) { store.interleaved = true; },
};

}  // namespace alphasparse
