// mix: rows in blocks of one row by several neighbouring columns, which start at any entry, and
// single entries behind them in the same slice.
//
// The blocks of a row are found from left to right: a block starts at the first entry that is in
// none. It must hold `least` entries, else its first one is single. A place that the row does not
// have is a pad of value 0. A block that would hang over the matrix's right edge begins further
// left, so that a thread may load all its columns of x at once.
//
// A warp is a slice. Its threads have as many blocks as the one with most, then as many single
// entries as the one with most. The k-th blocks of all threads lie side by side, each with its
// places together, and so do the k-th single entries.
//
// Pads of a block meet an x that its row need not have. So a block has a bit for each place that
// its row has, and a thread with a sum that is not finite adds up again by the bits. Pads of single
// entries repeat a column of their row.
//
// Example, blocks of 2 columns, at least 2 entries; the rows 0 1 4 and 2 6 of one warp:
//   value   a0 a1 -- --   a4 b2 -- b6: blocks (a0 a1) (-- --), single entries (a4 b2) (-- b6)
//   block_first_col 0 0   column 4 2 4 6
// Sources: SPC5 (Bramas, Kus 2018) has blocks that start at any entry; the order is that of SELL
// (Kreutzer, Hager, Wellein, Fehske, Bishop 2014).
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "generator/layouts/layout_kind.h"
#include "generator/layouts/layout_tiles.h"

namespace alphasparse {

/// The layout of a store of blocks and single entries.
const Mix& get_mix(const Store& store);

/// Columns of a block.
std::int32_t mix_width(const Store& store);

/// The parts of each row.
struct MixParts {
  std::vector<std::int32_t> blocks, singles;
};

std::shared_ptr<const MixParts> mix_parts(const Store& store);

/// The threads of each warp, with the positions of their blocks and single entries.
struct MixSlices {
  Tiles tiles;
  std::vector<std::int64_t> first_block{0}, first_single{0};  ///< [warps + 1]
};

std::shared_ptr<const MixSlices> mix_slices(const Store& store);

/// LayoutKind::reply
Result<LayoutChoice> mix_reply(const Store& store, const Request& request);

/// LayoutKind::write
void write_mix(const Store& store, Layout& layout);

/// LayoutKind::columns: one for each block, and one for each single entry.
void add_mix_columns(BranchPlan& plan, const Matrix& matrix, FormatStruct& format);

/// LayoutKind::term: the functors of blocks and of single entries.
Code bind_mix(Composition& composition);

/// LayoutKind::range
Range mix_range(Composition& composition);

}  // namespace alphasparse
