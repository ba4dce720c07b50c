// warp_bands, thread_bands: cut whole bands of dense blocks - several for a warp, one for a thread,
// which then reads it block by block (generator/layouts/kinds/dense_blocks.h).
//
// A thread has as many sums as a band has rows, and loads an element of x once for all of them.
// With its threads interleaved this is SELL of blocks: BCSR (Im, Yelick 1999) in the order of
// SELL-C (Kreutzer, Hager, Wellein, Fehske, Bishop 2014).
#include <fmt/format.h>

#include "generator/layouts/kinds/dense_blocks.h"
#include "operators/all_operators.h"
#include "operators/mapping/open_level.h"

namespace alphasparse {

namespace {

/// The condition of both operators: bands, none of which the parent has cut.
std::optional<std::string> cannot_open_bands(const Store& store, Level level) {
  if (auto reason = cannot_open(store, level, Tiling::rows)) return reason;
  if (store.blocks.rows == 0) {
    return fmt::format("the rows lie in no bands of dense blocks; use {}_rows", level_name(level));
  }
  const LevelFacts* const parent = store.innermost();
  if (!parent || parent->row_multiple % store.blocks.rows == 0) return std::nullopt;
  return fmt::format("a {} begins inside a band of {} rows; cut it by whole bands",
                     level_name(parent->level), store.blocks.rows);
}

std::optional<std::string> thread_applies(const Store& store, const Arguments&) {
  if (auto reason = cannot_open_bands(store, Level::thread)) return reason;
  if (store.mirrored() && !store.on_cpu())
    return "mirror images are added for single entries, but a band has blocks";
  if (store.staged != StagedX::none) {
    return "the slices of x have a place for each entry, but a block has one column; leave it out";
  }
  if (store.blocks.rows > band_rows_max) {
    return fmt::format("a thread keeps {} sums at most, but bands have {} rows", band_rows_max,
                       store.blocks.rows);
  }
  if (std::int64_t{store.blocks.rows} * store.blocks.cols > block_cells_max) {
    return fmt::format("blocks of {} x {} have more places than a word has bits", store.blocks.rows,
                       store.blocks.cols);
  }
  return std::nullopt;
}

void open_bands(Store& store, Level level, std::int64_t bands) {
  const std::int64_t rows = bands * store.blocks.rows;
  const Ints row_first = store.array({Level::matrix, Name::row_first_nz});
  open_level(store, level, Tiling::rows, [&](const Span& span, std::vector<LevelPart>& parts) {
    for (std::int64_t row = span.row; row < span.end_row; row += rows) {
      parts.push_back({static_cast<std::int32_t>(row), (*row_first)[row]});
    }
  });
}

}  // namespace

const Operator warp_bands = {
    .name = "warp_bands",
    .stage = Stage::mapping,
    .paper = "new: SELL of blocks",
    .doc = "cuts whole bands of dense blocks into pieces for warps",
    .parameters = {{.name = "bands",
                    .doc = "bands of a unit",
                    .least = 1,
                    .most = 1 << 20,
                    .coarse =
                        [](const RowFacts&) {
                          return std::vector<std::int64_t>{32, 16, 8};
                        },
                    .coarse_on_cpu =
                        [](const RowFacts&) {
                          return std::vector<std::int64_t>{32, 16, 8, 4, 2, 1};
                        }}},
    .required = {{Level::matrix, Name::row_first_nz}},
    .provided = {{Level::warp, Name::first_nz}, {Level::warp, Name::first_row}},
    .invalidated = {},
    .applies = [](const Store& store,
                  const Arguments&) { return cannot_open_bands(store, Level::warp); },
    .apply =
        [](Store& store, const Arguments& arguments) {
          open_bands(store, Level::warp, arguments.integer("bands"));
        },
    .weight = [](const WeightContext&) { return 4.0; },
};

const Operator thread_bands = {
    .name = "thread_bands",
    .stage = Stage::mapping,
    .paper = "new: SELL of blocks",
    .doc = "a band of dense blocks a thread, which reads it block by block",
    .parameters = {},
    .required = {{Level::matrix, Name::row_first_nz}},
    .provided = {{Level::thread, Name::first_nz}, {Level::thread, Name::first_row}},
    .invalidated = {},
    .applies = thread_applies,
    .apply =
        [](Store& store, const Arguments&) {
          open_bands(store, Level::thread, 1);
          store.layout = Bands{store.blocks};
        },
    .weight = [](const WeightContext&) { return 8.0; },
};

}  // namespace alphasparse
