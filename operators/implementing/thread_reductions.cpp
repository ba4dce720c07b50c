// thread_total, thread_bitmap, thread_merge: reductions in a thread's registers (the paper's
// THREAD_TOTAL_RED and THREAD_BITMAP_RED). They are one sum of one row, or a walk over flags that
// say where rows start, or over the ends of rows.
#include <fmt/format.h>

#include <algorithm>

#include "generator/arrays/fragment.h"
#include "generator/layouts/layout_kind.h"
#include "operators/all_operators.h"
#include "operators/reasons.h"
#include "operators/targets.h"

namespace alphasparse {

namespace {

std::optional<std::string> no_part_size(const Store& store) {
  if (!store.level(Level::thread)) return no_thread_level;
  if (store.partial.shape != Shape::none) return "the threads' non-zeros are reduced already";
  return std::nullopt;
}

/// The levels that share a row which is cut for several threads: levels that lie inside one row
/// work together, and the innermost that holds all of it owns it.
void set_sharers(const Store& store, Partial& partial) {
  partial.owner = Worker::matrix;
  bool in_row = false;
  for (const LevelFacts& level : store.levels()) {
    if (level.level == Level::thread) break;
    const Worker worker = level.level == Level::warp ? Worker::warp : Worker::block;
    const bool whole = level.tiling == Tiling::rows && level.rows_max <= 1;
    in_row = in_row || whole || level.tiling == Tiling::cols;
    if (in_row && partial.together < worker) partial.together = worker;
    if (whole) partial.owner = worker;
  }
}

int get_vector(const Arguments& arguments) { return static_cast<int>(arguments.integer("vector")); }

request::Total to_total(const Arguments& arguments) {
  return {.sums = static_cast<int>(arguments.integer("sums")),
          .vector = get_vector(arguments),
          .batch = static_cast<int>(arguments.integer("batch")),
          .by_hardware = arguments.text("gather") == "hardware"};
}

/// A batch needs several terms, with nothing between their loads.
std::optional<std::string> cannot_batch(const Store& store, const request::Total& total) {
  if (total.batch == 1) return std::nullopt;
  const LevelFacts& threads = *store.level(Level::thread);
  if (store.mirrored()) return "mirror images are added one by one; use batch=1";
  if (auto reason = rejection(store, request::Batch{})) return reason;
  if (threads.tiling == Tiling::nnz && threads.part_size == 1) {
    return "a thread has one non-zero; use batch=1";
  }
  if (total.sums > 1) return "the products of a batch go to one sum; use sums=1";
  return std::nullopt;
}

std::optional<std::string> thread_total_applies(const Store& store, const Arguments& arguments) {
  if (auto reason = no_part_size(store)) return reason;
  const LevelFacts& threads = *store.level(Level::thread);
  const request::Total total = to_total(arguments);
  if (total.by_hardware && store.gang() == 0) {
    return "threads one after the other read one element of x each; use gather=lanes";
  }
  if (threads.tiling == Tiling::merge)
    return "a thread's non-zeros lie in several rows; use thread_merge";
  if (auto reason = rejection(store, total)) return reason;
  Partial shared;
  set_sharers(store, shared);
  if (threads.tiling == Tiling::nnz && threads.part_size != 1 &&
      shared.together == Worker::thread) {
    return "a thread's non-zeros lie in several rows; use thread_bitmap";
  }
  return cannot_batch(store, total);
}

void thread_total_apply(Store& store, const Arguments& arguments) {
  const request::Total total = to_total(arguments);
  const FragmentStep step = layout_kind(store).total(store, total);
  store.vector = total.vector;
  store.gathers_by_hardware = total.by_hardware;
  const LevelFacts& threads = *store.level(Level::thread);
  Partial partial{step.fragment->gives, Worker::thread, Worker::thread, false};
  if (partial.shape == Shape::one) {
    if (threads.tiling == Tiling::rows) partial.row_by_row = threads.rows_max > 1;
    if (threads.tiling == Tiling::cols || threads.tiling == Tiling::nnz)
      set_sharers(store, partial);
    if (threads.tiling == Tiling::lanes) {
      partial.owner = partial.together = Worker::group;
      if (store.part_of_row()) set_sharers(store, partial);
    }
  }
  store.partial = partial;
  store.call(step);
}

const Fragment thread_bitmap_fragment = {
    .name = "thread_bitmap",
    .takes = Shape::none,
    .gives = Shape::head_tail,
    .scope = Worker::thread,
    .template_arguments = {TemplateRole::part_size},
    .arguments = {Role::first, Role::step, Role::starts, Role::open, Role::term, Role::row_of,
                  Role::emit},
    .result_type = "const HeadTail",
    .result_name = "part",
    .in_flight = {loads_with_registers, true},
    .full_parts = true,
    .cpu_cost = TotalCost{0.340, 0.47},
};

// The same with wide loads.
const Fragment thread_bitmap_wide_fragment = {
    .name = "thread_bitmap_wide",
    .takes = Shape::none,
    .gives = Shape::head_tail,
    .scope = Worker::thread,
    .template_arguments = {TemplateRole::part_size, TemplateRole::vector},
    .arguments = {Role::first, Role::step, Role::starts, Role::open, Role::terms, Role::row_of,
                  Role::emit},
    .result_type = "const HeadTail",
    .result_name = "part",
    .in_flight = {loads_with_registers, true},
    .full_parts = true,
};

std::optional<std::string> thread_bitmap_applies(const Store& store, const Arguments& arguments) {
  if (auto reason = no_part_size(store)) return reason;
  const LevelFacts& threads = *store.level(Level::thread);
  if (threads.tiling != Tiling::nnz)
    return "the threads are not cut by a number of non-zeros; cut them with thread_nnz";
  if (store.mirrored()) {
    return "a thread does not know the row of each non-zero, whose mirror image it adds; use "
           "thread_total";
  }
  if (threads.part_size > 32) {
    return fmt::format("{} flags do not fit the 32 bits of a word", threads.part_size);
  }
  return rejection(store, request::Total{.vector = get_vector(arguments)});
}

void thread_bitmap_apply(Store& store, const Arguments& arguments) {
  store.vector = get_vector(arguments);
  store.partial = {Shape::head_tail, Worker::thread, Worker::matrix, false};
  store.call({store.vector > 1 ? &thread_bitmap_wide_fragment : &thread_bitmap_fragment, 0});
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
    .cpu_cost = TotalCost{0.492, 1.37},
};

std::optional<std::string> merge_applies(const Store& store, const Arguments&) {
  if (auto reason = no_part_size(store)) return reason;
  if (store.level(Level::thread)->tiling != Tiling::merge) {
    return "the threads are not cut along a merge path; cut them with thread_merge_path";
  }
  return std::nullopt;
}

void merge_apply(Store& store, const Arguments&) {
  store.partial = {Shape::head_tail, Worker::thread, Worker::matrix, false};
  store.call({&merge_fragment, 0});
}

const ParameterSpec vector_parameter = {
    .name = "vector",
    .doc =
        "neighbouring values, and columns of entries, that are loaded at once; layouts prove "
        "alignment",
    .fallback = "1",
    .choices = {"1", "2", "4"},
    .modelled = false,
    .choices_on_cpu = {"1"},
    .cpu_reason = "a gang loads entries side by side; use vector=1",
};

}  // namespace

const Operator thread_total = {
    "thread_total",
    Stage::implementing,
    "THREAD_TOTAL_RED",
    "each thread adds the products of one row, or of a band of dense blocks",
    {{.name = "sums",
      .doc = "sums that a thread keeps apart, so that additions do not wait for each other",
      .fallback = "1",
      .choices = {"1", "2", "4"},
      .modelled = false},
     vector_parameter,
     {.name = "batch",
      .doc = "products whose loads a thread has in flight together, where rows are short",
      .fallback = "1",
      .choices = {"1", "4", "8"},
      .choices_on_cpu = {"1"},
      .cpu_reason = "a core runs ahead of additions by itself; use batch=1"},
     {.name = "gather",
      .doc = "elements of x for the lanes of a gang: a load each, or the hardware's gathers",
      .fallback = "lanes",
      .choices = {"lanes", "hardware"},
      .modelled = false,
      .only_on = Target::cpu}},
    {},
    {},
    {},
    thread_total_applies,
    thread_total_apply,
    [](const WeightContext&) { return 5.0; },
    {.rejects = cannot_reduce},
};

const Operator thread_bitmap = {
    "thread_bitmap",
    Stage::implementing,
    "THREAD_BITMAP_RED",
    "each thread walks its products; a bit flag says where a row starts",
    {vector_parameter},
    {{Level::thread, Name::first_nz}},
    {},
    {},
    thread_bitmap_applies,
    thread_bitmap_apply,
    [](const WeightContext&) { return 5.0; },
    {.rejects = cannot_reduce, .weight_ratio = 0.5},
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
    [](const WeightContext&) { return 5.0; },
    {.rejects = cannot_reduce},
};

}  // namespace alphasparse
