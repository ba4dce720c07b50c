// thread_total, thread_bitmap: reductions in a thread's registers (the paper's THREAD_TOTAL_RED and
// THREAD_BITMAP_RED) - one sum of one row, or a walk over flags that say where rows start.
#include <fmt/format.h>

#include "operators/all_operators.h"

namespace alphasparse {

namespace {

std::optional<std::string> no_items(const Store& store) {
  if (!store.level(Level::thread)) return "no thread level is open";
  if (store.partial.shape != Shape::none) return "the threads' non-zeros are reduced already";
  return std::nullopt;
}

const Fragment total_fragment = {
    .name = "thread_total",
    .takes = Shape::none,
    .gives = Shape::one,
    .scope = Worker::thread,
    .template_arguments = {},
    .arguments = {Role::first, Role::end, Role::step, Role::term},
    .result_type = "const Value",
    .result_name = "sum",
};

// The same with several sums, so that additions need not wait for each other.
const Fragment sums_fragment = {
    .name = "thread_total_sums",
    .takes = Shape::none,
    .gives = Shape::one,
    .scope = Worker::thread,
    .template_arguments = {Role::sums},
    .arguments = {Role::first, Role::end, Role::step, Role::term},
    .result_type = "const Value",
    .result_name = "sum",
};

// The same over the jagged diagonals of a ragged tile.
const Fragment ragged_fragment = {
    .name = "thread_total_ragged",
    .takes = Shape::none,
    .gives = Shape::one,
    .scope = Worker::thread,
    .template_arguments = {},
    .arguments = {Role::first, Role::end, Role::local, Role::entry_of, Role::term},
    .result_type = "const Value",
    .result_name = "sum",
};

/// Loads of `vector` entries need neighbours that begin at a multiple of it.
std::optional<std::string> cannot_load(const Store& store, int vector) {
  const LevelFacts& threads = *store.level(Level::thread);
  if (store.run > 1 && vector != store.run) {
    return fmt::format("a thread's entries lie in runs of {0}; use vector={0}", store.run);
  }
  if (vector == 1) return std::nullopt;
  if (threads.cut == Cut::lanes) return "lanes that share a row do not read neighbouring entries";
  if (threads.cut == Cut::nnz || threads.rows_max > 1) return "a thread does not have one row";
  if (store.interleaved && store.run == 1) {
    return fmt::format("a thread's entries lie apart; use interleave run={}", vector);
  }
  const bool equal = threads.nz_min == threads.nz_max && threads.nz_max % vector == 0;
  if (store.padded ? store.multiple % vector == 0 : equal) return std::nullopt;
  return fmt::format("threads do not begin at multiples of {0}; use thread_pad multiple={0}",
                     vector);
}

std::optional<std::string> total_applies(const Store& store, const Arguments& arguments) {
  if (auto why = no_items(store)) return why;
  const LevelFacts& threads = *store.level(Level::thread);
  if (store.ragged && arguments.integer("sums") > 1) {
    return "the diagonals of a ragged tile are added one by one; sums must be 1";
  }
  if (auto why = cannot_load(store, static_cast<int>(arguments.integer("vector")))) return why;
  if (threads.cut == Cut::nnz && threads.items != 1) {
    return "a thread's non-zeros lie in several rows; use thread_bitmap";
  }
  return std::nullopt;
}

/// Who shares a row that is cut into runs: levels from the inside that hold one row, or a part of
/// one, work together; the first that holds a whole one owns it.
void set_sharers(const Store& store, Partial& partial) {
  partial.owner = Worker::matrix;
  for (auto level = store.levels().rbegin() + 1; level != store.levels().rend(); ++level) {
    const bool whole = level->cut == Cut::rows && level->rows_max == 1;
    if (!whole && level->cut != Cut::cols) return;
    partial.together = level->level == Level::warp ? Worker::warp : Worker::block;
    if (whole && partial.owner == Worker::matrix) partial.owner = partial.together;
  }
}

void total_apply(Store& store, const Arguments& arguments) {
  const LevelFacts& threads = *store.level(Level::thread);
  Partial partial{Shape::one, Worker::thread, Worker::thread, false};
  if (threads.cut == Cut::rows) partial.row_by_row = threads.rows_max > 1;
  if (threads.cut == Cut::cols) set_sharers(store, partial);
  if (threads.cut == Cut::lanes) {
    partial.owner = partial.together = Worker::group;
    if (store.part_of_row()) set_sharers(store, partial);
  }
  if (threads.cut == Cut::nnz) partial.owner = Worker::matrix;
  store.partial = partial;
  store.vector = static_cast<int>(arguments.integer("vector"));
  const int sums = static_cast<int>(arguments.integer("sums"));
  const Fragment& one_sum = store.ragged ? ragged_fragment : total_fragment;
  store.chain.push_back({sums > 1 ? &sums_fragment : &one_sum, 0, sums});
}

const Fragment bitmap_fragment = {
    .name = "thread_bitmap",
    .takes = Shape::none,
    .gives = Shape::head_tail,
    .scope = Worker::thread,
    .template_arguments = {Role::items},
    .arguments = {Role::first, Role::step, Role::starts, Role::open, Role::term, Role::row_of,
                  Role::emit},
    .result_type = "const HeadTail",
    .result_name = "part",
    .full_units = true,
};

std::optional<std::string> bitmap_applies(const Store& store, const Arguments&) {
  if (auto why = no_items(store)) return why;
  const LevelFacts& threads = *store.level(Level::thread);
  if (threads.cut != Cut::nnz) return "the threads are not cut by a number of non-zeros";
  if (store.run > 1) return "a thread's entries lie in runs, but it takes them one by one";
  if (threads.items > 32) {
    return fmt::format("{} flags do not fit the 32 bits of a word", threads.items);
  }
  return std::nullopt;
}

void bitmap_apply(Store& store, const Arguments&) {
  store.partial = {Shape::head_tail, Worker::thread, Worker::matrix, false};
  store.chain.push_back({&bitmap_fragment, 0});
}

}  // namespace

const Operator thread_total = {
    "thread_total",
    Stage::implementing,
    "THREAD_TOTAL_RED",
    "each thread adds the products of one row",
    {{.name = "sums",
      .doc = "sums that a thread keeps apart, so that additions do not wait for each other",
      .fallback = "1",
      .words = {"1", "2", "4"}},
     {.name = "vector",
      .doc = "neighbouring values and columns that are loaded at once; layouts prove alignment",
      .fallback = "1",
      .words = {"1", "2", "4"}}},
    {},
    {},
    {},
    total_applies,
    total_apply,
};

const Operator thread_bitmap = {
    "thread_bitmap",
    Stage::implementing,
    "THREAD_BITMAP_RED",
    "each thread walks its products; a bit flag says where a row starts",
    {},
    {{Level::thread, Name::first_nz}},
    {},
    {},
    bitmap_applies,
    bitmap_apply,
};

}  // namespace alphasparse
