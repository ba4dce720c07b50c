// positions: the one final step that assigns stored positions - pads, transposition and offsets of
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

#include "base/result.h"
#include "generator/facts/layout.h"
#include "generator/facts/store.h"

namespace alphasparse {

/// Positions that assign_positions would use, pads included, without building anything.
std::int64_t stored_entries(const Store& store);

/// Of those, how many some thread reads at least: without pads that may lie behind the work.
std::int64_t read_entries(const Store& store);

/// Assigns them. Fails where the stored entries and one more stride exceed 2^31 - 1.
Result<Layout> assign_positions(const Store& store);

}  // namespace alphasparse
