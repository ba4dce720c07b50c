// warp_total, warp_bitmap, warp_segment: reductions by shuffles inside a warp (the paper's
// WARP_TOTAL_RED, WARP_BITMAP_RED and WARP_SEG_RED).
#include "generator/arrays/fragment.h"
#include "operators/all_operators.h"
#include "operators/reasons.h"

namespace alphasparse {

namespace {

const Fragment warp_total_fragment = {
    .name = "warp_total",
    .takes = Shape::one,
    .gives = Shape::one,
    .scope = Worker::warp,
    .template_arguments = {TemplateRole::lanes},
    .arguments = {Role::partial},
    .result_type = "const Value",
    .result_name = "warp_sum",
};

std::optional<std::string> warp_total_applies(const Store& store, const Arguments&) {
  if (auto reason = not_held_by_threads(store, Shape::one)) return reason;
  if (store.partial.owner == Worker::thread) {
    return "each thread has whole rows: nothing is left to add";
  }
  if (store.partial.together == Worker::thread) {
    return "the lanes of a warp hold different rows; use thread_cols lanes=32";
  }
  return std::nullopt;
}

void warp_total_apply(Store& store, const Arguments&) {
  const LevelFacts& threads = *store.level(Level::thread);
  const bool groups = threads.tiling == Tiling::lanes;
  store.partial.holder = groups && !store.part_of_row() ? Worker::group : Worker::warp;
  store.call({&warp_total_fragment, groups ? threads.lanes : 32});
}

const Fragment warp_bitmap_fragment = {
    .name = "warp_bitmap",
    .takes = Shape::one,
    .gives = Shape::done,
    .scope = Worker::warp,
    .template_arguments = {},
    .arguments = {Role::partial, Role::lane_starts, Role::row_of, Role::emit, Role::edge},
    .result_type = "",
    .result_name = "",
    .full_tiles = true,
};

std::optional<std::string> warp_bitmap_applies(const Store& store, const Arguments&) {
  if (auto reason = not_held_by_threads(store, Shape::one)) return reason;
  if (store.mirrored())
    return "lanes behind the last non-zero have no row to add mirror images for";
  const LevelFacts* warps = store.level(Level::warp);
  const LevelFacts& threads = *store.level(Level::thread);
  if (!warps || warps->tiling != Tiling::nnz || threads.parent != Level::warp) {
    return "no warp level is cut by non-zeros, one a lane; put warp_nnz nnz=32 before thread_nnz";
  }
  return std::nullopt;
}

void warp_bitmap_apply(Store& store, const Arguments&) {
  store.partial = {Shape::done, Worker::warp, Worker::matrix, false};
  store.call({&warp_bitmap_fragment, 0});
}

// CSR5's segmented sum with its segments found by ballot: no digits are lost.
const Fragment warp_segment_fragment = {
    .name = "warp_segment",
    .takes = Shape::head_tail,
    .gives = Shape::done,
    .scope = Worker::warp,
    .template_arguments = {},
    .arguments = {Role::partial, Role::row_of, Role::emit, Role::edge},
    .result_type = "",
    .result_name = "",
    .full_tiles = true,
};

// With a branch that the whole warp takes where its tile lies inside one row.
const Fragment one_row_fragment = {
    .name = "warp_segment_one_row",
    .takes = Shape::head_tail,
    .gives = Shape::done,
    .scope = Worker::warp,
    .template_arguments = {},
    .arguments = {Role::partial, Role::row_of, Role::emit, Role::edge},
    .result_type = "",
    .result_name = "",
    .full_tiles = true,
};

// The published form: prefix sums over the warp and a subtraction.
const Fragment prefix_fragment = {
    .name = "warp_segment_prefix",
    .takes = Shape::head_tail,
    .gives = Shape::done,
    .scope = Worker::warp,
    .template_arguments = {},
    .arguments = {Role::partial, Role::seg_offset, Role::row_of, Role::emit, Role::edge},
    .result_type = "",
    .result_name = "",
    .full_tiles = true,
    .spreads_rounding = true,
};

std::optional<std::string> warp_segment_applies(const Store& store, const Arguments& arguments) {
  if (auto reason = not_of_shape(store, Shape::head_tail)) return reason;
  const LevelFacts* warps = store.level(Level::warp);
  const LevelFacts* threads = store.level(Level::thread);
  if (!warps || !threads || warps->part_size == 0 || threads->parent != Level::warp) {
    return "no warp level is cut by non-zeros; put warp_nnz before thread_nnz";
  }
  if (arguments.text("by") != "prefix") return std::nullopt;
  if (threads->tiling != Tiling::nnz) {
    return "by=prefix needs the flags of threads of equal non-zeros; use by=ballot";
  }
  if (arguments.text("fast") == "one_row") {
    return "by=prefix is as published, without a fast path; use fast=none";
  }
  // Such kernels promise that errors reach rows near by.
  if (!store.rows_in_callers_order() || store.own_order()) {
    return "by=prefix adds up across rows, and the rows are not in the matrix' own order; use "
           "by=ballot";
  }
  return std::nullopt;
}

void warp_segment_apply(Store& store, const Arguments& arguments) {
  store.partial = {Shape::done, Worker::warp, Worker::matrix, false};
  const bool prefix = arguments.text("by") == "prefix";
  const bool one_row = arguments.text("fast") == "one_row";
  store.call({prefix ? &prefix_fragment : one_row ? &one_row_fragment : &warp_segment_fragment, 0});
}

}  // namespace

const Operator warp_total = {
    "warp_total",
    Stage::implementing,
    "WARP_TOTAL_RED",
    "the lanes that share a row add their sums by shuffles",
    {},
    {},
    {},
    {},
    warp_total_applies,
    warp_total_apply,
    [](const WeightContext&) { return 8.0; },
};

const Operator warp_bitmap = {
    "warp_bitmap",
    Stage::implementing,
    "WARP_BITMAP_RED",
    "the lanes of a warp hold one sum each; a bitmap of lanes says where a row starts",
    {},
    {},
    {},
    {},
    warp_bitmap_applies,
    warp_bitmap_apply,
    [](const WeightContext&) { return 6.0; },
};

const Operator warp_segment = {
    "warp_segment",
    Stage::implementing,
    "WARP_SEG_RED",
    "the lanes of a warp add heads to the rows that began before them (CSR5's segmented sum)",
    {{.name = "by",
      .doc =
          "ballot: segments found by a ballot; prefix: as published, prefix sums and a subtraction "
          "that loses digits and spreads Inf and NaN",
      .fallback = "ballot",
      .choices = {"ballot", "prefix"},
      .choices_on_cpu = {"ballot"},
      .cpu_reason = "one core goes through the lanes in order; use by=ballot"},
     {.name = "fast",
      .doc = "one_row: a warp whose tile lies inside one row adds up without looking for segments",
      .fallback = "none",
      .choices = {"none", "one_row"},
      .choices_on_cpu = {"none"},
      .cpu_reason = "one core goes through the lanes in order; use fast=none"}},
    {},
    {},
    {},
    warp_segment_applies,
    warp_segment_apply,
    [](const WeightContext&) { return 8.0; },
};

}  // namespace alphasparse
