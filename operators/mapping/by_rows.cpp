// block_rows, warp_rows, thread_rows: cut by whole rows (the paper's BMTB/BMW/BMT_ROW_BLOCK) - a
// fixed count, or as many rows as hold at most `nnz` non-zeros (a longer row stands alone).
#include <algorithm>

#include "generator/layouts/layout_kind.h"
#include "operators/all_operators.h"
#include "operators/mapping/open_level.h"
#include "operators/targets.h"

namespace alphasparse {

namespace {

template <Level level>
std::optional<std::string> rows_apply_to(const Store& store, const Arguments& arguments) {
  if (auto reason = cannot_open(store, level, Tiling::rows)) return reason;
  const bool one_row = arguments.has("rows") && arguments.integer("rows") == 1;
  return level == Level::thread ? rejection(store, request::OpenThreads{one_row}) : std::nullopt;
}

template <Level level>
void open_rows(Store& store, const Arguments& arguments) {
  if (arguments.has("rows")) {
    const std::int64_t rows = arguments.integer("rows");
    const Ints row_first = store.array({Level::matrix, Name::row_first_nz});
    open_level(store, level, Tiling::rows, [&](const Span& span, std::vector<LevelPart>& parts) {
      if (parts.empty())
        parts.reserve(static_cast<std::size_t>(span.end_row - span.row) / rows + 1);
      for (std::int64_t row = span.row; row < span.end_row; row += rows) {
        parts.push_back({static_cast<std::int32_t>(row), (*row_first)[row]});
      }
    });
    return;
  }
  const std::int64_t nnz = arguments.integer("nnz");
  const Ints row_first = store.array({Level::matrix, Name::row_first_nz});
  open_level(store, level, Tiling::rows, [&](const Span& span, std::vector<LevelPart>& parts) {
    for (std::int32_t row = span.row; row < span.end_row;) {
      const std::int32_t begin = (*row_first)[row];
      parts.push_back({row, begin});
      const std::int64_t end = row + std::min<std::int64_t>(nnz, span.end_row - row);
      ++row;
      while (row < end && (*row_first)[row + 1] - begin <= nnz) ++row;
    }
  });
}

template <Level level>
Operator make_rows(std::string_view name, std::string_view paper, std::string_view doc,
                   CoarseGrid rows, CoarseGrid nnz, CoarseGrid rows_on_cpu = nullptr) {
  return {name,
          Stage::mapping,
          paper,
          doc,
          {{.name = "rows",
            .doc = "rows of a unit",
            .least = 1,
            .most = index_limit,
            .one_of = true,
            .coarse = rows,
            .coarse_on_cpu = rows_on_cpu},
           {.name = "nnz",
            .doc = "most non-zeros of a unit of several rows",
            .least = 1,
            .most = index_limit,
            .one_of = true,
            .coarse = nnz}},
          {{Level::matrix, Name::row_first_nz}},
          {{level, Name::first_nz}, {level, Name::first_row}},
          {},
          rows_apply_to<level>,
          open_rows<level>};
}

/// For short rows as many as a block has threads, for long ones from a block each.
std::vector<std::int64_t> coarse_rows_of_block(const RowFacts& rows) {
  constexpr double long_row = 32;
  if (rows.length_mean < long_row) return powers_of_two(32, 512);
  return {1, 4, 16, 64, 256};
}

}  // namespace

const Operator block_rows = weighed(
    make_rows<Level::block>("block_rows", "BMTB_ROW_BLOCK",
                            "cuts whole rows into pieces for thread blocks", coarse_rows_of_block,
                            [](const RowFacts&) { return powers_of_two(512, 4096); }),
    [](const WeightContext&) { return 3.0; }, OnCpu{.lacks = no_blocks, .instead = "warp_rows"});
const Operator warp_rows = weighed(
    make_rows<Level::warp>(
        "warp_rows", "BMW_ROW_BLOCK", "cuts whole rows into pieces for warps",
        [](const RowFacts&) { return std::vector<std::int64_t>{1, 2, 4, 8, 16, 32}; },
        [](const RowFacts&) { return powers_of_two(64, 1024); },
        // A gang is a power of two. Values of many columns fill registers in a few lanes.
        [](const RowFacts&) { return std::vector<std::int64_t>{16, 32, 8, 64, 4, 2}; }),
    [](const WeightContext&) { return 2.5; }, OnCpu{.weight_ratio = 3});
const Operator thread_rows =
    weighed(make_rows<Level::thread>(
                "thread_rows", "BMT_ROW_BLOCK", "cuts whole rows into pieces for threads",
                [](const RowFacts&) {
                  return std::vector<std::int64_t>{1, 2, 4};
                },
                [](const RowFacts&) { return powers_of_two(4, 64); },
                [](const RowFacts&) { return std::vector<std::int64_t>{1}; }),
            [](const WeightContext& at) { return 0.3 + 8 / (1 + 3 * at.spread); });

}  // namespace alphasparse
