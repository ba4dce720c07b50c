// block_merge_path, warp_merge_path, thread_merge_path: equal numbers of row ends and non-zeros
// together (Merrill, Garland 2016), so that neither long rows nor many empty ones hold anyone up.
//
// The path takes the non-zeros of each row, then its end; a part begins at (rows ended, non-zeros
// taken). Example, rows of lengths 2, 0, 1 and items=2: (0, 0) (0, 2) (2, 2), end (3, 3).
#include <fmt/format.h>

#include <algorithm>

#include "operators/all_operators.h"
#include "operators/mapping/open_level.h"
#include "operators/targets.h"

namespace alphasparse {

namespace {

template <Level level>
std::optional<std::string> merge_applies(const Store& store, const Arguments& arguments) {
  if (auto reason = cannot_open(store, level, Tiling::merge)) return reason;
  const LevelFacts* parent = store.innermost();
  const std::int64_t part_size = arguments.integer("items");
  if (level != Level::thread && part_size % 32 != 0) {
    return "items must be a multiple of 32, the warp's lanes";
  }
  if (!parent) return std::nullopt;
  if (parent->tiling != Tiling::merge) {
    return fmt::format("a merge path cannot begin inside a {0}; cut it with {0}_merge_path, too",
                       level_name(parent->level));
  }
  if (parent->level == Level::warp && parent->part_size != 32 * part_size) {
    return fmt::format("32 threads of {} do not make a warp's {} items; use items={}", part_size,
                       parent->part_size, parent->part_size / 32);
  }
  const std::int64_t whole = level == Level::thread ? 32 * part_size : part_size;
  if (parent->part_size % whole != 0) {
    return fmt::format("a block's {} items are no whole number of warps of {}", parent->part_size,
                       whole);
  }
  return std::nullopt;
}

/// The row ends among the first `diagonal` items of the path.
std::int32_t rows_ended(const std::vector<std::int32_t>& row_first, std::int64_t diagonal) {
  const auto rows = static_cast<std::int64_t>(row_first.size()) - 1;
  std::int64_t low = std::max<std::int64_t>(0, diagonal - row_first.back());
  std::int64_t high = std::min(diagonal, rows);
  while (low < high) {
    const std::int64_t row = (low + high) / 2;
    if (row_first[row + 1] < diagonal - row) {
      low = row + 1;
    } else {
      high = row;
    }
  }
  return static_cast<std::int32_t>(low);
}

template <Level level>
void open_merge(Store& store, const Arguments& arguments) {
  const std::int64_t part_size = arguments.integer("items");
  const Ints row_first = store.array({Level::matrix, Name::row_first_nz});
  open_level(store, level, Tiling::merge, [&](const Span& span, std::vector<LevelPart>& parts) {
    const std::int64_t end = std::int64_t{span.end_row} + span.end_nz;
    for (std::int64_t diagonal = std::int64_t{span.row} + span.nz; diagonal < end;
         diagonal += part_size) {
      const std::int32_t row = rows_ended(*row_first, diagonal);
      parts.push_back({row, static_cast<std::int32_t>(diagonal - row)});
    }
  });
  store.set_part_size(static_cast<std::int32_t>(part_size));
}

template <Level level>
Operator make_merge(std::string_view name, std::string_view doc, std::int64_t least,
                    CoarseGrid coarse, std::int64_t times_next) {
  return {name,
          Stage::mapping,
          "new: merge path",
          doc,
          {{.name = "items",
            .doc = "row ends and non-zeros of a unit",
            .least = least,
            .most = 1 << 20,
            .times_next = times_next,
            .coarse = coarse}},
          {{Level::matrix, Name::row_first_nz}},
          {{level, Name::first_nz}, {level, Name::first_row}},
          {},
          merge_applies<level>,
          open_merge<level>};
}

}  // namespace

const Operator block_merge_path = weighed(
    make_merge<Level::block>("block_merge_path",
                             "cuts equal numbers of row ends and non-zeros for thread blocks", 32,
                             nullptr, 128),
    [](const WeightContext& at) { return 1.0 + 0.5 * at.spread; }, OnCpu{.lacks = no_blocks});
const Operator warp_merge_path = weighed(
    make_merge<Level::warp>("warp_merge_path",
                            "cuts equal numbers of row ends and non-zeros for warps", 32, nullptr,
                            32),
    [](const WeightContext& at) { return 0.7 + 0.5 * at.spread; },
    OnCpu{.lacks = "lanes that walk rows of their own read far apart; use thread_merge_path"});
const Operator thread_merge_path = weighed(
    make_merge<Level::thread>(
        "thread_merge_path", "cuts equal numbers of row ends and non-zeros for threads", 1,
        [](const RowFacts&) {
          return std::vector<std::int64_t>{5, 7, 9, 11};
        },
        0),
    [](const WeightContext&) { return 0.5; }, OnCpu{.weight_ratio = 0.3});

}  // namespace alphasparse
