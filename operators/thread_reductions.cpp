// thread_total, thread_bitmap, thread_merge: reductions in a thread's registers (the paper's
// THREAD_TOTAL_RED and THREAD_BITMAP_RED) - one sum of one row, or a walk over flags that say where
// rows start, or over the ends of rows.
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

/// Who shares a row that is cut for several threads: levels that lie inside one row work together,
/// and the innermost that holds all of it owns it.
void set_sharers(const Store& store, Partial& partial) {
  partial.owner = Worker::matrix;
  bool in_row = false;
  for (const LevelFacts& level : store.levels()) {
    if (level.level == Level::thread) break;
    const Worker worker = level.level == Level::warp ? Worker::warp : Worker::block;
    const bool whole = level.cut == Cut::rows && level.rows_max <= 1;
    in_row = in_row || whole || level.cut == Cut::cols;
    if (in_row && partial.together < worker) partial.together = worker;
    if (whole) partial.owner = worker;
  }
}

std::optional<std::string> total_applies(const Store& store, const Arguments&) {
  if (auto why = no_items(store)) return why;
  const LevelFacts& threads = *store.level(Level::thread);
  if (threads.cut == Cut::merge)
    return "a thread's non-zeros lie in several rows; use thread_merge";
  Partial shared;
  set_sharers(store, shared);
  if (threads.cut == Cut::nnz && threads.items != 1 && shared.owner == Worker::matrix) {
    return "a thread's non-zeros lie in several rows; use thread_bitmap";
  }
  return std::nullopt;
}

void total_apply(Store& store, const Arguments&) {
  const LevelFacts& threads = *store.level(Level::thread);
  Partial partial{Shape::one, Worker::thread, Worker::thread, false};
  if (threads.cut == Cut::rows) partial.row_by_row = threads.rows_max > 1;
  if (threads.cut == Cut::cols || threads.cut == Cut::nnz) set_sharers(store, partial);
  if (threads.cut == Cut::lanes) {
    partial.owner = partial.together = Worker::group;
    if (store.part_of_row()) set_sharers(store, partial);
  }
  store.partial = partial;
  store.chain.push_back({store.ragged ? &ragged_fragment : &total_fragment, 0});
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
  if (threads.items > 32) {
    return fmt::format("{} flags do not fit the 32 bits of a word", threads.items);
  }
  return std::nullopt;
}

void bitmap_apply(Store& store, const Arguments&) {
  store.partial = {Shape::head_tail, Worker::thread, Worker::matrix, false};
  store.chain.push_back({&bitmap_fragment, 0});
}

const Fragment merge_fragment = {
    .name = "thread_merge",
    .takes = Shape::none,
    .gives = Shape::head_tail,
    .scope = Worker::thread,
    .template_arguments = {},
    .arguments = {Role::first, Role::end, Role::path_row, Role::path_end, Role::row_end, Role::term,
                  Role::row_of, Role::emit},
    .result_type = "const HeadTail",
    .result_name = "part",
};

std::optional<std::string> merge_applies(const Store& store, const Arguments&) {
  if (auto why = no_items(store)) return why;
  if (store.level(Level::thread)->cut != Cut::merge) {
    return "the threads are not cut along a merge path";
  }
  return std::nullopt;
}

void merge_apply(Store& store, const Arguments&) {
  store.partial = {Shape::head_tail, Worker::thread, Worker::matrix, false};
  store.chain.push_back({&merge_fragment, 0});
}

}  // namespace

const Operator thread_total = {
    "thread_total",
    Stage::implementing,
    "THREAD_TOTAL_RED",
    "each thread adds the products of one row",
    {},
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

const Operator thread_merge = {
    "thread_merge",
    Stage::implementing,
    "new: merge path",
    "each thread walks the ends of rows and the non-zeros between them",
    {},
    {{Level::thread, Name::first_nz}, {Level::thread, Name::first_row}},
    {},
    {},
    merge_applies,
    merge_apply,
};

}  // namespace alphasparse
