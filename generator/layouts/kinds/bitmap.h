// bitmap: non-zeros that lie in blocks of 8 rows, with a bit for each position of a block.
//
// A band is 8 neighbouring logical rows; its blocks are `cols` columns wide (4 or 8) and begin at
// multiples of that. The positions of a block, row by row, are the bits of its words of 32. A block
// of 8 x 4 has one word, and one of 8 x 8 has two of four rows each. The values of a word's bits
// lie packed.
//
// Example, 8 x 4, rows 0 and 1 of a band with columns 4, 6 and 5 (bits 0, 2 and 4 + 1):
//   band_first 0 1    first_col 4    bits 0b100101    first_entry 0
#pragma once
#include <cstdint>
#include <vector>

#include "generator/facts/layout.h"
#include "generator/facts/store.h"

namespace alphasparse {

constexpr std::int32_t bitmap_rows = 8;  ///< of a block

/// Words of 32 bits of a block of so many columns.
inline int bitmap_words(int cols) { return bitmap_rows * cols / 32; }

}  // namespace alphasparse
