// dense_blocks: rows in bands of dense blocks, which threads read block by block.
//
// A band is as many neighbouring logical rows as a block has (`Store::blocks`). Each of them has
// the same positions, those of a block's neighbouring columns, and some of them are fill. A thread
// has a whole band (`Bands`). Its values lie block after block, in a block row after row, and a
// block has one column, its first. A block that would hang over the matrix's right edge begins
// further left, so that it does not; columns that other blocks have are fill there. The last band
// may have fewer rows: the places of missing rows are pads. Pads behind a band's blocks repeat its
// last one.
//
// In runs, neighbours in a block stay together in the thread's place. Place p of a block is then at
// (p / run * threads + thread) * run + p % run, counted from the tile's first block. On a CPU a run
// has columns of one row, whose elements of x are loaded at once. On a GPU it has 2 or 4 values,
// perhaps of several rows, which are loaded at once. A block has whole runs there, so each begins
// at a multiple of its length. Elements of x are loaded one by one: a block may begin at any of
// them.
//
// Fill and pads cannot repeat a column of their own row here. So an Inf or NaN of x times their 0
// may reach a row that does not have that column. Where that can be, a block has a bit for each
// place that its row has. A thread with a sum that is not finite adds up again, by the bits.
//
// Example, 2 x 2, two bands of one block and of two, a thread each, interleaved (a, b: places of
// band 0 and of band 1; a position is 2 * place + thread, 8 a block):
//   values   a0 b0 a1 b1 a2 b2 a3 b3   -- b0 -- b1 -- b2 -- b3      first_col   a b   a b
#pragma once
#include <cstdint>

#include "generator/facts/store.h"
#include "generator/layouts/layout_kind.h"

namespace alphasparse {

constexpr int band_rows_max = 8;     ///< sums that a thread has
constexpr int block_cells_max = 32;  ///< of a block: bits of a word

/// The layout of a store of bands.
const Bands& get_bands(const Store& store);

bool has_padded_bands(const Store& store);

/// LayoutKind::reply
Result<LayoutChoice> bands_reply(const Store& store, const Request& request);

/// Columns that are stored of a block: a matrix may have fewer than a block.
std::int32_t block_width(const Store& store);

/// Rows of a band.
std::int32_t band_rows(const Store& store);

/// Cells of a block, pads of missing rows included.
std::int32_t block_cells(const Store& store);

/// Whether some cell that is read may be none of its row's.
bool has_gaps(const Store& store);

}  // namespace alphasparse
