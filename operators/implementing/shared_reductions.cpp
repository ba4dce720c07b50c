// shared_total, shared_offset: reductions through shared memory (the paper's SHMEM_TOTAL_RED and
// SHMEM_OFFSET_RED) - one row a block, or every row's slice of a table of sums.
#include <fmt/format.h>

#include "generator/arrays/fragment.h"
#include "operators/all_operators.h"
#include "operators/reasons.h"

namespace alphasparse {

namespace {

const Fragment shared_total_fragment = {
    .name = "shared_total",
    .takes = Shape::one,
    .gives = Shape::one,
    .scope = Worker::block,
    .template_arguments = {TemplateRole::threads, TemplateRole::lanes},
    .arguments = {Role::partial, Role::table},
    .result_type = "const Value",
    .result_name = "block_sum",
};

std::optional<std::string> shared_total_applies(const Store& store, const Arguments&) {
  if (auto reason = not_of_shape(store, Shape::one)) return reason;
  const Partial& partial = store.partial;
  if (partial.holder == Worker::block) return "each block has added up its threads' sums already";
  if (partial.holder >= partial.owner) {
    return fmt::format("each {} has whole rows: nothing is left to add",
                       holder_name(partial.holder));
  }
  if (partial.together == Worker::thread) {
    return "the threads of a block hold different rows; use block_rows rows=1";
  }
  if (partial.together != Worker::block) {
    return fmt::format("a row lies in one {}, not in a block; use warp_total",
                       holder_name(partial.together));
  }
  return std::nullopt;
}

void shared_total_apply(Store& store, const Arguments&) {
  const int lanes = store.partial.holder == Worker::warp ? 32 : 1;
  store.partial.holder = Worker::block;
  store.call({&shared_total_fragment, lanes});
}

const Fragment offset_fragment = {
    .name = "shared_offset",
    .takes = Shape::one,
    .gives = Shape::done,
    .scope = Worker::block,
    .template_arguments = {TemplateRole::threads},
    .arguments = {Role::table, Role::first_row, Role::end_row, Role::first_slot, Role::emit},
    .result_type = "",
    .result_name = "",
};

const Fragment shared_segment_fragment = {
    .name = "shared_segment",
    .takes = Shape::head_tail,
    .gives = Shape::done,
    .scope = Worker::block,
    .template_arguments = {TemplateRole::threads},
    .arguments = {Role::partial, Role::table, Role::flags, Role::row_of, Role::emit, Role::edge},
    .result_type = "",
    .result_name = "",
    .full_tiles = true,
};

int threads_of_block_tile(const Store& store) {
  return store.level(Level::block)->part_size / store.level(Level::thread)->part_size;
}

std::optional<std::string> no_block_tiles(const Store& store) {
  const LevelFacts* blocks = store.level(Level::block);
  if (!blocks || blocks->part_size == 0 || store.level(Level::thread)->parent != Level::block) {
    return "no block level is cut like its threads; put block_nnz or block_merge_path before them";
  }
  if (threads_of_block_tile(store) > 1024) {
    return fmt::format("a block has {} threads, at most 1024 work together",
                       threads_of_block_tile(store));
  }
  return std::nullopt;
}

std::optional<std::string> offset_applies(const Store& store, const Arguments&) {
  const Partial& partial = store.partial;
  if (store.epilogue.empty() && partial.shape == Shape::head_tail) return no_block_tiles(store);
  if (auto reason = not_held_by_threads(store, Shape::one)) return reason;
  if (partial.holder >= partial.owner) {
    return "each thread has whole rows: nothing is left to add";
  }
  if (store.level(Level::thread)->tiling == Tiling::lanes) {
    return "lanes that share a row need no table; use warp_total";
  }
  if (!store.level(Level::block)) {
    return "no block level is open, whose threads share a table; put block_rows or block_nnz "
           "before the threads";
  }
  return std::nullopt;
}

void offset_apply(Store& store, const Arguments&) {
  if (store.partial.shape == Shape::head_tail) {
    store.partial = {Shape::done, Worker::block, Worker::matrix, false};
    store.launch.tile_threads = threads_of_block_tile(store);
    store.call({&shared_segment_fragment, 32});
    return;
  }
  const bool whole_rows = store.level(Level::block)->tiling == Tiling::rows;
  store.partial = {Shape::done, Worker::block, whole_rows ? Worker::block : Worker::matrix, false};
  store.call({&offset_fragment, 0});
}

}  // namespace

const Operator shared_total = {
    "shared_total",
    Stage::implementing,
    "SHMEM_TOTAL_RED",
    "the threads or warps of a block that share a row add their sums through shared memory",
    {},
    {},
    {},
    {},
    shared_total_applies,
    shared_total_apply,
    [](const WeightContext&) { return 6.0; },
    {.lacks = "a core has no threads that share memory; use warp_rows"},
};

const Operator shared_offset = {
    "shared_offset",
    Stage::implementing,
    "SHMEM_OFFSET_RED",
    "the sums of a block's threads go to shared memory; each row adds its slice, found by offsets",
    {},
    {{Level::block, Name::first_row}, {Level::thread, Name::first_row}},
    {},
    {},
    offset_applies,
    offset_apply,
    [](const WeightContext&) { return 5.0; },
    {.lacks = "a core has no threads that share memory; use warp_rows"},
};

}  // namespace alphasparse
