// thread_total, thread_bitmap, thread_merge: reductions in a thread's registers (the paper's
// THREAD_TOTAL_RED and THREAD_BITMAP_RED). They are one sum of one row, or a walk over flags that
// say where rows start, or over the ends of rows.
#include <fmt/format.h>

#include <algorithm>

#include "generator/arrays/fragment.h"
#include "generator/layouts/dense_blocks.h"
#include "operators/all_operators.h"
#include "operators/reasons.h"

namespace alphasparse {

namespace {

std::optional<std::string> no_items(const Store& store) {
  if (!store.level(Level::thread)) return no_thread_level;
  if (store.partial.shape != Shape::none) return "the threads' non-zeros are reduced already";
  return std::nullopt;
}

// For threads that all have as many terms.
const Fragment count_fragment = {
    .name = "thread_total_count",
    .takes = Shape::none,
    .gives = Shape::one,
    .scope = Worker::thread,
    .template_arguments = {TemplateRole::count},
    .arguments = {Role::first, Role::step, Role::term},
    .result_type = "const Value",
    .result_name = "sum",
    .in_flight = {loads_with_registers, true},
};

const Fragment thread_total_fragment = {
    .name = "thread_total",
    .takes = Shape::none,
    .gives = Shape::one,
    .scope = Worker::thread,
    .template_arguments = {},
    .arguments = {Role::first, Role::end, Role::step, Role::term},
    .result_type = "const Value",
    .result_name = "sum",
    .in_flight = {unrolled_terms},
    .counted = &count_fragment,
};

// The same with several sums, so that additions need not wait for each other.
const Fragment sums_fragment = {
    .name = "thread_total_sums",
    .takes = Shape::none,
    .gives = Shape::one,
    .scope = Worker::thread,
    .template_arguments = {TemplateRole::sums},
    .arguments = {Role::first, Role::end, Role::step, Role::term},
    .result_type = "const Value",
    .result_name = "sum",
    .in_flight = {unrolled_terms},
};

// The same in batches: the loads of a batch do not wait for each other.
const Fragment batch_fragment = {
    .name = "thread_total_batch",
    .takes = Shape::none,
    .gives = Shape::one,
    .scope = Worker::thread,
    .template_arguments = {TemplateRole::batch},
    .arguments = {Role::first, Role::end, Role::step, Role::term},
    .result_type = "const Value",
    .result_name = "sum",
    .in_flight = {unrolled_terms},
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
    .in_flight = {1},  // a thread decides at every diagonal whether it goes on
};

// The same in the bitmap blocks of the row's band.
const Fragment bits_fragment = {
    .name = "thread_total_bits",
    .takes = Shape::none,
    .gives = Shape::one,
    .scope = Worker::thread,
    .template_arguments = {TemplateRole::block_cols, TemplateRole::lanes},
    .arguments = {Role::first_block, Role::end_block, Role::first_bit, Role::block_lane,
                  Role::bits_of, Role::entry_of, Role::column_of, Role::term},
    .result_type = "const Value",
    .result_name = "sum",
    .in_flight = {unrolled_terms},
};

// The same of a band of dense blocks, a sum for each of its rows, all of which leave at once.
const Fragment band_fragment = {
    .name = "thread_total_band",
    .takes = Shape::none,
    .gives = Shape::done,
    .scope = Worker::thread,
    .template_arguments = {TemplateRole::band_rows, TemplateRole::block_cols},
    .arguments = {Role::first, Role::end, Role::step, Role::local, Role::x, Role::column_of,
                  Role::value_of, Role::emit},
    .result_type = {},
    .result_name = {},
};

// The same where blocks have places that their rows do not have.
const Fragment band_gaps_fragment = {
    .name = "thread_total_band_gaps",
    .takes = Shape::none,
    .gives = Shape::done,
    .scope = Worker::thread,
    .template_arguments = {TemplateRole::band_rows, TemplateRole::block_cols},
    .arguments = {Role::first, Role::end, Role::step, Role::local, Role::x, Role::column_of,
                  Role::value_of, Role::term, Role::emit},
    .result_type = {},
    .result_name = {},
};

/// The levels that share a row which is cut for several threads: levels that lie inside one row
/// work together, and the innermost that holds all of it owns it.
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

/// Loads of `vector` entries need neighbours that begin at a multiple of it.
std::optional<std::string> cannot_load(const Store& store, int vector) {
  const LevelFacts& threads = *store.level(Level::thread);
  if (store.run > 1 && vector != store.run) {
    return fmt::format("a thread's entries lie in runs of {0}; use vector={0}", store.run);
  }
  if (vector == 1) return std::nullopt;
  if (store.mirrored) return "mirror images are added one by one; use vector=1";
  if (threads.cut == Cut::lanes)
    return "lanes that share a row do not read neighbouring entries; use vector=1";
  if (threads.cut == Cut::nnz)
    return "threads of equal non-zeros are read one by one; use vector=1";
  if (threads.rows_max > 1) return "a thread has several rows; use thread_rows rows=1";
  if (store.diagonals) return "a lane has one entry on a diagonal; use vector=1";
  if (store.interleaved && store.run == 1) {
    return fmt::format("a thread's entries lie apart; use interleave run={}", vector);
  }
  const bool equal = threads.nz_min == threads.nz_max && threads.nz_max % vector == 0;
  if (store.padded ? store.multiple % vector == 0 : equal) return std::nullopt;
  return fmt::format("threads do not begin at multiples of {0}; use thread_pad multiple={0}",
                     vector);
}

/// A batch needs several terms, with nothing between their loads.
std::optional<std::string> cannot_batch(const Store& store, const Arguments& arguments) {
  if (arguments.integer("batch") == 1) return std::nullopt;
  const LevelFacts& threads = *store.level(Level::thread);
  if (store.mirrored) return "mirror images are added one by one; use batch=1";
  if (store.ragged) return "the diagonals of a ragged tile are added one by one; use batch=1";
  if (threads.cut == Cut::nnz && threads.items == 1) {
    return "a thread has one non-zero; use batch=1";
  }
  if (arguments.integer("sums") > 1) return "the products of a batch go to one sum; use sums=1";
  return std::nullopt;
}

std::optional<std::string> cannot_read_blocks(const char* kind, const Arguments& arguments) {
  for (const char* const parameter : {"sums", "vector", "batch"}) {
    if (arguments.integer(parameter) == 1) continue;
    return fmt::format("the values of a {} block are added one by one; use {}=1", kind, parameter);
  }
  if (arguments.word("gather") == "lanes") return std::nullopt;
  return fmt::format("the columns of a {} block are neighbours; use gather=lanes", kind);
}

std::optional<std::string> thread_total_applies(const Store& store, const Arguments& arguments) {
  if (auto why = no_items(store)) return why;
  const LevelFacts& threads = *store.level(Level::thread);
  if (arguments.word("gather") == "hardware" && store.gang() == 0) {
    return "threads one after the other read one element of x each; use gather=lanes";
  }
  if (store.bitmap_cols > 0) return cannot_read_blocks("bitmap", arguments);
  if (store.by_band) return cannot_read_blocks("dense", arguments);
  if (store.diagonals && arguments.word("gather") == "hardware") {
    return "x is read in order along a diagonal; use gather=lanes";
  }
  if (threads.cut == Cut::merge)
    return "a thread's non-zeros lie in several rows; use thread_merge";
  if (store.diagonals && !store.interleaved) {
    return "the lanes' entries of a diagonal lie apart; put interleave before it";
  }
  if (store.ragged && arguments.integer("sums") > 1) {
    return "the diagonals of a ragged tile are added one by one; use sums=1";
  }
  if (auto why = cannot_load(store, static_cast<int>(arguments.integer("vector")))) return why;
  Partial shared;
  set_sharers(store, shared);
  if (threads.cut == Cut::nnz && threads.items != 1 && shared.together == Worker::thread) {
    return "a thread's non-zeros lie in several rows; use thread_bitmap";
  }
  return cannot_batch(store, arguments);
}

void thread_total_apply(Store& store, const Arguments& arguments) {
  if (store.by_band) {
    store.partial = {Shape::done, Worker::thread, Worker::thread, false};
    store.call({has_gaps(store) ? &band_gaps_fragment : &band_fragment, 0});
    return;
  }
  const LevelFacts& threads = *store.level(Level::thread);
  Partial partial{Shape::one, Worker::thread, Worker::thread, false};
  if (threads.cut == Cut::rows) partial.row_by_row = threads.rows_max > 1;
  if (threads.cut == Cut::cols || threads.cut == Cut::nnz) set_sharers(store, partial);
  if (threads.cut == Cut::lanes) {
    partial.owner = partial.together = Worker::group;
    if (store.part_of_row()) set_sharers(store, partial);
  }
  store.partial = partial;
  store.vector = static_cast<int>(arguments.integer("vector"));
  store.gathers_by_hardware = arguments.word("gather") == "hardware";
  const int sums = static_cast<int>(arguments.integer("sums"));
  const int batch = static_cast<int>(arguments.integer("batch"));
  if (store.bitmap_cols > 0) {
    store.call({&bits_fragment, std::max(1, threads.lanes)});
    return;
  }
  const Fragment& one_sum = store.ragged ? ragged_fragment : thread_total_fragment;
  const Fragment& fragment = batch > 1 ? batch_fragment : sums > 1 ? sums_fragment : one_sum;
  store.call({&fragment, 0, sums, batch});
}

const Fragment thread_bitmap_fragment = {
    .name = "thread_bitmap",
    .takes = Shape::none,
    .gives = Shape::head_tail,
    .scope = Worker::thread,
    .template_arguments = {TemplateRole::items},
    .arguments = {Role::first, Role::step, Role::starts, Role::open, Role::term, Role::row_of,
                  Role::emit},
    .result_type = "const HeadTail",
    .result_name = "part",
    .in_flight = {loads_with_registers, true},
    .full_units = true,
};

std::optional<std::string> thread_bitmap_applies(const Store& store, const Arguments&) {
  if (auto why = no_items(store)) return why;
  const LevelFacts& threads = *store.level(Level::thread);
  if (threads.cut != Cut::nnz)
    return "the threads are not cut by a number of non-zeros; cut them with thread_nnz";
  if (store.mirrored) {
    return "a thread does not know the row of each non-zero, whose mirror image it adds; use "
           "thread_total";
  }
  if (store.run > 1) return "a thread's entries lie in runs, but it takes them one by one";
  if (threads.items > 32) {
    return fmt::format("{} flags do not fit the 32 bits of a word", threads.items);
  }
  return std::nullopt;
}

void thread_bitmap_apply(Store& store, const Arguments&) {
  store.partial = {Shape::head_tail, Worker::thread, Worker::matrix, false};
  store.call({&thread_bitmap_fragment, 0});
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
    return "the threads are not cut along a merge path; cut them with thread_merge_path";
  }
  return std::nullopt;
}

void merge_apply(Store& store, const Arguments&) {
  store.partial = {Shape::head_tail, Worker::thread, Worker::matrix, false};
  store.call({&merge_fragment, 0});
}

}  // namespace

const Operator thread_total = {
    "thread_total",
    Stage::implementing,
    "THREAD_TOTAL_RED",
    "each thread adds the products of one row, or of a band of dense blocks",
    {{.name = "sums",
      .doc = "sums that a thread keeps apart, so that additions do not wait for each other",
      .fallback = "1",
      .words = {"1", "2", "4"},
      .modelled = false},
     {.name = "vector",
      .doc = "neighbouring values and columns that are loaded at once; layouts prove alignment",
      .fallback = "1",
      .words = {"1", "2", "4"},
      .modelled = false},
     {.name = "batch",
      .doc = "products whose loads a thread has in flight together, where rows are short",
      .fallback = "1",
      .words = {"1", "4", "8"}},
     {.name = "gather",
      .doc = "elements of x for the lanes of a gang: a load each, or the hardware's gathers",
      .fallback = "lanes",
      .words = {"lanes", "hardware"},
      .modelled = false,
      .only_on = Target::cpu}},
    {},
    {},
    {},
    thread_total_applies,
    thread_total_apply,
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
    thread_bitmap_applies,
    thread_bitmap_apply,
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
