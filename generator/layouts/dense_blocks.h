// dense_blocks: rows in bands of dense blocks, which threads read block by block.
//
// A band is `Store::band_rows` neighbouring logical rows. Each of them has the same positions,
// those of `band_cols` neighbouring columns a block, and some of them are fill. A thread has a
// whole band (`Store::by_band`). Its values lie block after block, in a block row after row, and a
// block has one column, its first. A block that would hang over the matrix's right edge begins
// further left, so that it does not; columns that other blocks have are fill there. The last band
// may have fewer rows: the places of missing rows are pads. Pads behind a band's blocks repeat its
// last one.
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
#include <vector>

#include "generator/facts/layout.h"
#include "generator/facts/store.h"

namespace alphasparse {

constexpr int band_rows_max = 8;      ///< sums that a thread has
constexpr int block_places_max = 32;  ///< of a block: bits of a word

/// Columns that are stored of a block: a matrix may have fewer than a block.
std::int32_t block_width(const Store& store);

/// Places of a block, pads of missing rows included.
std::int32_t block_places(const Store& store);

/// Whether some place that is read may be none of its row's.
bool has_gaps(const Store& store);

/// Stored positions of a thread that has a band, without pads behind its last block.
std::int64_t band_entries(const Store& store, std::int64_t thread);

/// Puts thread by thread into a layout that has arrays already, filled with pads.
class BandPlacer {
 public:
  BandPlacer(const Store& store, Layout& layout);

  /// A thread's blocks, pads up to `width` positions. It is number `local` of a tile that begins at
  /// `base`, or, where threads are not interleaved, number 0.
  void place(std::int64_t thread, std::int64_t base, std::int64_t local, std::int64_t width);

 private:
  std::int32_t column_of_block(std::int32_t row, std::int32_t end_row, std::int32_t at) const;

  const Store& store_;
  Layout& layout_;
  const std::vector<std::int32_t>&first_row_, &row_first_, &col_, &source_;
  const std::int32_t width_, places_;
};

}  // namespace alphasparse
