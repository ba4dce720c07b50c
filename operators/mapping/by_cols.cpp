// block_cols, warp_cols, thread_cols: cut within rows (the paper's BMTB/BMW/BMT_COL_BLOCK) - into
// runs of `width` neighbouring non-zeros, or dealt cyclically to `lanes` neighbouring threads, as
// CSR-vector does (Bell, Garland 2009). A row that is cut for blocks or warps has several of them,
// so their sums meet in y.
#include <fmt/format.h>

#include <algorithm>

#include "generator/layouts/layout_kind.h"
#include "operators/all_operators.h"
#include "operators/mapping/open_level.h"
#include "operators/targets.h"

namespace alphasparse {

namespace {

std::optional<std::string> lanes_apply(const Store& store, std::int64_t lanes) {
  if ((lanes & (lanes - 1)) != 0) return "lanes must be a power of two";
  if (auto reason = cannot_open(store, Level::thread, Tiling::lanes)) return reason;
  if (auto reason = rejection(store, request::ShareRows{lanes})) return reason;
  const LevelFacts* parent = store.innermost();
  if (!parent || parent->tiling != Tiling::cols) return std::nullopt;
  if (parent->level != Level::warp) {
    return "lanes are a warp's, but a block has this part of a row; put warp_cols before it";
  }
  if (lanes != 32) return "all lanes of a warp share its part of a row; use lanes=32";
  return std::nullopt;
}

std::optional<std::string> cols_apply_to(const Store& store, const Arguments& arguments) {
  if (arguments.has("lanes")) return lanes_apply(store, arguments.integer("lanes"));
  return cannot_open(store, Level::thread, Tiling::cols);
}

void open_lanes(Store& store, std::int32_t lanes) {
  const LevelFacts* parent = store.innermost();
  const bool of_part = parent && parent->tiling == Tiling::cols;
  const std::int64_t longest = of_part ? parent->nz_max : store.row_facts().length_max;
  LevelFacts facts;
  facts.level = Level::thread;
  facts.tiling = Tiling::lanes;
  facts.parent = parent ? parent->level : Level::matrix;
  facts.lanes = lanes;
  facts.rows_max = 1;
  facts.nz_max = static_cast<std::int32_t>((longest + lanes - 1) / lanes);
  facts.nz_min = (of_part ? parent->nz_min : store.row_facts().length_min) / lanes;
  store.open(facts);
}

/// Runs of `width` non-zeros that never leave their row, nor a part of the parent.
void open_runs(Store& store, Level level, std::int64_t width) {
  const Ints row_first = store.array({Level::matrix, Name::row_first_nz});
  open_level(store, level, Tiling::cols, [&](const Span& span, std::vector<LevelPart>& parts) {
    for (std::int32_t row = span.row; row < span.end_row; ++row) {
      const std::int64_t end = std::min((*row_first)[row + 1], span.end_nz);
      for (std::int64_t nz = std::max((*row_first)[row], span.nz); nz < end; nz += width) {
        parts.push_back({row, static_cast<std::int32_t>(nz)});
      }
    }
  });
}

void open_cols(Store& store, const Arguments& arguments) {
  if (arguments.has("lanes")) return open_lanes(store, arguments.integer("lanes"));
  open_runs(store, Level::thread, arguments.integer("width"));
}

template <Level level>
Operator make_cols(std::string_view name, std::string_view paper, std::string_view doc,
                   CoarseGrid coarse) {
  return {
      name,
      Stage::mapping,
      paper,
      doc,
      {{.name = "width",
        .doc = "non-zeros of a run",
        .least = 1,
        .most = index_limit,
        .coarse = coarse}},
      {{Level::matrix, Name::row_first_nz}},
      {{level, Name::first_nz}, {level, Name::first_row}},
      {},
      [](const Store& store, const Arguments&) { return cannot_open(store, level, Tiling::cols); },
      [](Store& store, const Arguments& arguments) {
        open_runs(store, level, arguments.integer("width"));
      }};
}

/// Powers of two around the mean row length.
std::vector<std::int64_t> coarse_lanes(const RowFacts& rows) {
  std::vector<std::int64_t> values;
  for (std::int64_t lanes = 2; lanes <= 32; lanes *= 2) {
    if (lanes <= 4 * rows.length_mean || lanes == 2) values.push_back(lanes);
  }
  return values;
}

}  // namespace

const Operator block_cols = weighed(
    make_cols<Level::block>("block_cols", "BMTB_COL_BLOCK",
                            "cuts each row into runs of neighbours for thread blocks",
                            [](const RowFacts&) { return powers_of_two(512, 4096); }),
    [](const WeightContext& at) { return at.splits_rows(4096, 512) ? 1.5 : 0.1; },
    OnCpu{.lacks = no_blocks});
const Operator warp_cols =
    weighed(make_cols<Level::warp>("warp_cols", "BMW_COL_BLOCK",
                                   "cuts each row into runs of neighbours for warps",
                                   [](const RowFacts&) { return powers_of_two(64, 1024); }),
            [](const WeightContext& at) { return at.splits_rows(512, 64) ? 1.5 : 0.2; });

const Operator thread_cols = {
    "thread_cols",
    Stage::mapping,
    "BMT_COL_BLOCK",
    "cuts each row for several threads: in runs of neighbours, or dealt to lanes in turn",
    {{.name = "width",
      .doc = "non-zeros of a run",
      .least = 1,
      .most = index_limit,
      .one_of = true,
      .coarse = [](const RowFacts&) { return powers_of_two(4, 64); }},
     {.name = "lanes",
      .doc = "threads that share a row, a power of two",
      .least = 2,
      .most = 32,
      .one_of = true,
      .coarse = coarse_lanes,
      .powers_of_two = true}},
    {{Level::matrix, Name::row_first_nz}},
    {},
    {},
    cols_apply_to,
    open_cols,
    [](const WeightContext& at) { return at.mean >= 4 ? 5.0 : 1.5; },
};

}  // namespace alphasparse
