// layout: the one final step that assigns stored positions - pads, transposition and offsets of
// every parent.
//
// A thread reads an arithmetic progression of stored positions, unless it is ragged. Which one
// follows from the cut, `padded` and `interleaved`. A pad has value 0 and repeats a column of its
// own row, so it never makes a row non-finite that the reference leaves finite, but may make NaN of
// Inf (pad_reads.h); where a thread has no entry of its own (an empty row) its pads have column -1
// and the product is predicated. Lanes of a gang meet column 0 there, and what they add up to is
// cleared behind the last product. Pads that no thread reads (`own_length`) have column 0 there. In
// one triangle of a symmetric matrix padded threads repeat the first column of their row, mostly
// the diagonal: it has no image to add.
//
// Example, rows of lengths 1 and 2 padded and interleaved by two threads (c: column, -: pad of row
// 0):
//   stored positions  0: row 0 first   1: row 1 first   2: -   3: row 1 second
//
// A ragged tile has no pads: its diagonal k holds the k-th non-zeros of all threads that have one,
// and those come first. Rows of lengths 3, 1, 1 (diagonals begin at 0, 3, 4):
//   0: row 0 first   1: row 1 first   2: row 2 first   3: row 0 second   4: row 0 third
//
// By diagonals of warps, step k of a tile is its k-th diagonal (diagonals.h); a position that is
// not stored there has column -1.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "generator/bitmap.h"
#include "generator/dense_blocks.h"
#include "generator/kernel.h"
#include "generator/result.h"
#include "generator/store.h"

namespace alphasparse {

struct Layout {
  std::int64_t stored = 0;  ///< positions, pads included
  std::int32_t stride = 1;  ///< between two positions, or runs of them, of one thread
  std::int32_t width = 0;   ///< positions that every thread reads where all read as many, else 0
  bool predicated = false;  ///< some column is -1
  bool in_order = true;     ///< position = logical non-zero: nothing was moved or padded

  std::vector<std::int32_t> column;        ///< [stored]
  std::vector<std::int32_t> value_source;  ///< [stored] canonical index, or -1 for a pad

  /// Interleaved: first position of each parent, [parents + 1]. Padded or cut by non-zeros only: of
  /// each thread, [units + 1]; behind a warp's last thread stand the pads of its idle lanes where
  /// warps work together. Ragged: of each diagonal, parent by parent, [diagonals + 1].
  std::vector<std::int32_t> first_entry;
  std::vector<std::int32_t> first_diagonal;  ///< ragged only: of each parent, [parents + 1]
  /// Of each gang whose lanes may be without entries, [gangs * words_of_lanes()]: bit l of its
  /// words is set where lane l adds pads alone. Empty where no lane does.
  std::vector<std::uint32_t> empty_lanes;
  std::optional<Bitmap> bitmap;       ///< in the place of columns; positions are in its order
  std::optional<DenseBlocks> blocks;  ///< in the place of columns, where threads have bands

  /// By diagonals only: the column of the first lane, in the place of a column for each of `stride`
  /// positions. Behind the last diagonal of a warp that is padded further it is 0.
  std::vector<std::int32_t> diagonal_column;

  std::vector<PadRead> pads;  ///< those that are added up (pad_reads.h)
};

/// Words of 32 bits that have one for each lane of a gang.
inline int words_of_lanes(int gang) { return (gang + 31) / 32; }

/// Positions that assign_positions would use, pads included, without building anything.
std::int64_t stored_entries(const Store& store);

/// Of those, how many some thread reads at least: without pads that may lie behind the work.
std::int64_t read_entries(const Store& store);

/// Assigns them. Fails where the stored entries and one more stride exceed 2^31 - 1.
Result<Layout> assign_positions(const Store& store);

}  // namespace alphasparse
