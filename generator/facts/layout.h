// layout: the stored positions of a branch, and the arrays that stand beside them or in the place
// of columns.
//
// positions.h says how positions are assigned, bitmap.h, dense_blocks.h, diagonals.h and staged_x.h
// how the other arrays are made.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "generator/arrays/kernel.h"

namespace alphasparse {

/// Blocks of bits, band by band (bitmap.h).
struct Bitmap {
  std::vector<std::int32_t> band_first;   ///< [bands + 1] first block of each band
  std::vector<std::int32_t> first_col;    ///< [blocks] first column of each block
  std::vector<std::uint32_t> bits;        ///< [blocks * words] a bit for each stored position
  std::vector<std::int32_t> first_entry;  ///< [blocks * words] stored position of the first bit
  std::vector<std::int32_t> order;        ///< [nnz] the non-zero at each stored position
};

/// Bands of dense blocks (dense_blocks.h).
struct DenseBlocks {
  std::vector<std::int32_t> first_col;  ///< [blocks] first column of each, in the order of reading
  std::vector<std::uint32_t> bits;  ///< [blocks] bit r * width + c: row r has column c; or empty
};

/// The slices of x that blocks bring into shared memory (staged_x.h).
struct StagedColumns {
  std::vector<std::int32_t> first_col;  ///< range: [blocks] first column of the slice
  std::vector<std::int32_t> first;      ///< [blocks + 1] listed: its first index in `cols`
  std::vector<std::int32_t> cols;       ///< listed: columns of each slice, ascending
  std::vector<std::int32_t> size;       ///< range: [blocks] columns of the slice
  std::int64_t most = 0;                ///< columns of the largest slice
};

struct Layout {
  std::int64_t stored = 0;  ///< positions, pads included
  std::int32_t stride = 1;  ///< between two positions, or runs of them, of one thread
  std::int32_t width = 0;   ///< positions that every thread reads where all read as many, else 0
  bool predicated = false;  ///< some column is -1
  bool in_order = true;     ///< position = logical non-zero: nothing was moved or padded

  std::vector<std::int32_t> column;        ///< [stored]; its place in a slice where x is staged
  std::vector<std::int32_t> value_source;  ///< [stored] canonical index, or -1 for a pad

  /// Interleaved: first position of each parent, [parents + 1]. Padded or cut by non-zeros only: of
  /// each thread, [parts + 1]; behind a warp's last thread stand the pads of its idle lanes where
  /// warps work together. Ragged: of each diagonal, parent by parent, [diagonals + 1]. Padded for
  /// lanes: of each row, or of each part that lanes share, [rows + 1].
  std::vector<std::int32_t> first_entry;
  std::vector<std::int32_t> first_diagonal;  ///< ragged only: of each parent, [parents + 1]
  /// For each gang with lanes that may be without entries, [gangs * words_of_lanes()]. Bit l of its
  /// words is set where lane l adds pads alone. Empty where no lane does.
  std::vector<std::uint32_t> empty_lanes;
  std::optional<Bitmap> bitmap;       ///< in the place of columns; positions are in its order
  std::optional<DenseBlocks> blocks;  ///< in the place of columns, where threads have bands

  /// By diagonals only: the column of the first lane, in the place of a column for each of `stride`
  /// positions. Behind the last diagonal of a warp that is padded further it is 0.
  std::vector<std::int32_t> diagonal_column;
  /// Layouts by diagonals only: a bit for each stored position tells whether an entry is there.
  /// Words have 32 bits, the first the lowest.
  std::vector<std::uint32_t> entry_bits;
};

/// Words of 32 bits that have one for each lane of a gang.
inline int words_of_lanes(int gang) { return (gang + 31) / 32; }

}  // namespace alphasparse
