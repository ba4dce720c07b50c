// run_shapes: the dense blocks that the entries of a matrix fill well, as designs for CPUs.
//
// A block of a few rows and 2, 4 or 8 columns begins at any entry. One load brings the elements of
// x for a row of it, so a place without an entry costs less than an entry that stands alone. That
// pays where about half of the places are entries; doubles, with their larger pads, want more.
#pragma once
#include <cstdint>
#include <map>
#include <utility>

#include "generator/arrays/kernel.h"
#include "generator/arrays/matrix.h"
#include "operators/canonical_design.h"

namespace alphasparse {

/// The share of places that are entries, in greedy blocks of this size over all rows. O(rows +
/// nnz).
double share_of_entries(const Matrix& matrix, std::int32_t rows, std::int32_t cols);

/// The named design `runs` in all shapes that the matrix fills well enough, itself included. For
/// doubles these stand also in gangs of two bands, and so does `bsell`.
/// O(rows + nnz of a sample).
Designs run_designs(const Matrix& matrix, Dtype dtype);

/// Designs that store one triangle of the matrix, by rows and in blocks that it fills well enough;
/// none where it is neither symmetric, skew-symmetric nor Hermitian. Blocks are for one vector of
/// real numbers. O(rows + nnz).
Designs triangle_designs(const Matrix& matrix, Dtype dtype, int vectors);

/// The blocks of designs that begin at any entry and take all of a matrix.
class BlockFill {
 public:
  explicit BlockFill(const Matrix& matrix);

  /// Whether a design has such blocks, and so few of their places are entries that it cannot win.
  /// O(rows + nnz of a sample) for each size of blocks.
  bool are_mostly_pads(const CanonicalDesign& design);

 private:
  Matrix sample_;
  std::map<std::pair<std::int32_t, std::int32_t>, double> share_;  ///< by rows and columns
};

}  // namespace alphasparse
