// bitmap_block_peel: blocks of 8 rows that are worth a word of bits to a branch of their own.
//
// The branch's non-zeros keep no column each: a block has its first column and a bit for each of
// its positions, and their values lie packed in the order of the bits. Source: bitmap-compressed
// blocks, as in bitmap-based SpMV (Zhang, Gruenwald 2018, 8 x 8) and SPC5's masks (Bramas, Kus
// 2018); here in words of 32 bits, so that a count of bits is one instruction.
#include <fmt/format.h>

#include <algorithm>

#include "generator/layouts/kinds/bitmap.h"
#include "operators/all_operators.h"
#include "operators/converting/full_blocks.h"
#include "operators/converting/splits.h"

namespace alphasparse {

namespace {

std::optional<std::string> bitmap_blocks_applies(const Store& store, const Arguments& arguments) {
  if (auto reason = cannot_split(store, arguments)) return reason;
  if (store.filled) return "the branch has fill, which bits leave out; put compress before it";
  return std::nullopt;
}

Result<std::vector<Store>> split(const Store& store, const Arguments& arguments) {
  const auto cols = static_cast<std::int32_t>(arguments.integer("cols"));
  const auto blocks = full_blocks(store, {bitmap_rows, cols, arguments.integer("share")});
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  std::vector<Store> branches = split_by_entries(
      store,
      {fmt::format("bitmap blocks of {} x {}", bitmap_rows, cols), "what lies in no full block"},
      [&](std::int32_t row, std::int32_t nz) {
        const auto band = blocks.band(row / bitmap_rows);
        return std::binary_search(band.begin(), band.end(), col[nz] / cols * cols) ? 0 : 1;
      });
  branches[0].layout = BitBlocks{cols};
  return branches;
}

}  // namespace

const Operator bitmap_block_peel = {
    .name = "bitmap_block_peel",
    .stage = Stage::converting,
    .paper = "new: bitmap blocks",
    .doc =
        "aligned blocks of 8 rows with a bit for each position, values packed, to one branch; "
        "the rest to another",
    .parameters = {{.name = "cols", .doc = "columns of a block", .choices = {"4", "8"}},
                   {.name = "share",
                    .doc = "percent of a block that is stored, at least; 0: any that is not empty",
                    .least = 0,
                    .most = 100,
                    .coarse =
                        [](const RowFacts&) {
                          return std::vector<std::int64_t>{10, 25, 50};
                        }}},
    .required = matrix_keys(),
    .provided = {},
    .invalidated = matrix_keys(),
    .applies = bitmap_blocks_applies,
    .apply = nullptr,
    .weight = [](const WeightContext& at) { return at.branch_weight(0.1 + 3 * at.block_fill); },
    .branches = [](const Arguments&) { return 2; },
    .split = split,
};

}  // namespace alphasparse
