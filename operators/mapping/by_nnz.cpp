// block_nnz, warp_nnz, thread_nnz: equal numbers of non-zeros, without regard to rows (the paper's
// BMT_NNZ_BLOCK): the CSR5 side. A warp's tile is 32 threads wide, so the two numbers belong
// together; a block's is a whole number of warps or of their tiles. The last part is completed by
// pads.
#include <fmt/format.h>

#include <algorithm>

#include "operators/all_operators.h"
#include "operators/mapping/open_level.h"
#include "operators/targets.h"

namespace alphasparse {

namespace {

/// Whether the open levels lie inside one row, so that a thread knows the row of all it reads.
bool is_inside_row(const Store& store) {
  const auto& levels = store.levels();
  return std::any_of(levels.begin(), levels.end(), [](const LevelFacts& level) {
    return level.tiling == Tiling::cols || (level.tiling == Tiling::rows && level.rows_max <= 1);
  });
}

template <Level level>
std::optional<std::string> nnz_applies(const Store& store, const Arguments& arguments) {
  if (auto reason = cannot_open(store, level, Tiling::nnz)) return reason;
  const LevelFacts* parent = store.innermost();
  const std::int64_t nnz = arguments.integer("nnz");
  const std::int64_t one_a_thread = level == Level::thread ? 1 : 32;
  if (store.mirrored() && level != Level::block && nnz != one_a_thread && !is_inside_row(store)) {
    return fmt::format(
        "a thread would not know the row of each non-zero, whose mirror image it adds; use nnz={}",
        one_a_thread);
  }
  if (level != Level::thread && nnz % 32 != 0) {
    return "nnz must be a multiple of 32, the warp's lanes";
  }
  if (!parent || parent->tiling != Tiling::nnz) return std::nullopt;
  if (parent->level == Level::warp && parent->part_size != 32 * nnz) {
    return fmt::format("32 threads of {} do not make a warp's {} non-zeros; use nnz={}", nnz,
                       parent->part_size, parent->part_size / 32);
  }
  const std::int64_t whole = level == Level::thread ? 32 * nnz : nnz;
  if (parent->part_size % whole != 0) {
    return fmt::format("a block's {} non-zeros are no whole number of warps of {}",
                       parent->part_size, whole);
  }
  return std::nullopt;
}

template <Level level>
void open_nnz(Store& store, const Arguments& arguments) {
  const std::int64_t nnz = arguments.integer("nnz");
  const Ints row_first = store.array({Level::matrix, Name::row_first_nz});
  std::int32_t row = 0;  // spans come in ascending order, so the row only moves forward
  open_level(store, level, Tiling::nnz, [&](const Span& span, std::vector<LevelPart>& parts) {
    for (std::int64_t nz = span.nz; nz < span.end_nz; nz += nnz) {
      while ((*row_first)[row + 1] <= nz) ++row;
      parts.push_back({row, static_cast<std::int32_t>(nz)});
    }
  });
  store.set_part_size(static_cast<std::int32_t>(nnz));
}

template <Level level>
Operator make_nnz(std::string_view name, std::string_view doc, std::int64_t least,
                  CoarseGrid coarse, std::int64_t times_next = 0) {
  return {name,
          Stage::mapping,
          "BMT_NNZ_BLOCK",
          doc,
          {{.name = "nnz",
            .doc = "non-zeros of a unit",
            .least = least,
            .most = 1 << 20,
            .times_next = times_next,
            .coarse = coarse,
            .one_stays = true}},
          {{Level::matrix, Name::row_first_nz}},
          {{level, Name::first_nz}, {level, Name::first_row}},
          {},
          nnz_applies<level>,
          open_nnz<level>};
}

}  // namespace

const Operator block_nnz = weighed(
    make_nnz<Level::block>("block_nnz", "cuts equal numbers of non-zeros for thread blocks", 32,
                           [](const RowFacts&) { return powers_of_two(512, 4096); }),
    [](const WeightContext& at) { return 0.7 + 0.5 * at.spread; }, OnCpu{.lacks = no_blocks});
const Operator warp_nnz = weighed(
    make_nnz<Level::warp>("warp_nnz", "cuts equal numbers of non-zeros for warps", 32, nullptr, 32),
    [](const WeightContext& at) { return 1.5 + at.spread; }, OnCpu{.weight_ratio = 0.5});
const Operator thread_nnz = weighed(
    make_nnz<Level::thread>("thread_nnz", "cuts equal numbers of non-zeros for threads", 1,
                            [](const RowFacts&) { return powers_of_two(4, 32); }),
    [](const WeightContext& at) { return 1.0 + 0.5 * at.spread; }, OnCpu{.weight_ratio = 0.3});

}  // namespace alphasparse
