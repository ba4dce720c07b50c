// features: the statistics of a matrix that `inspect` prints and that rules and models decide by.
//
// All of them follow from the canonical matrix alone, in O(nnz log nnz) time and O(nnz + rows)
// memory. So a matrix with 2^31 - 1 columns and one entry is cheap. Shares are in [0, 1]; a share
// of nothing is 0, unless its line says otherwise.
//
// bandwidth, neighbours and similarity are the features of Mpakos et al., "Feature-based SpMV
// Performance Analysis on Contemporary Devices" (arXiv 2302.04225). They are counted as in the
// tables of its authors (cslab-ntua). `generate` makes matrices by the same three.
//
// Example, the 3 x 3 matrix with rows {0, 1}, {}, {1, 2} (columns of the entries). Lengths 2 0 2,
// mean 4/3. Entries lie at most 1 below the diagonal and at most 1 above. Profile 1 (row 2 begins
// at column 1). Next columns are 1 away. 4 entries lie on 3 diagonals. Bandwidth (1 + 0 + 1) / 3 /
// 3. Neighbours 1: each entry has one. Similarity (1 + 0) / 2: columns 0 and 1 of row 0 have column
// 1 of row 2 within 1, and no row follows row 2.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generator/arrays/matrix.h"

namespace alphasparse {

/// The quantiles of a Distribution, as shares.
inline constexpr std::array<double, 6> quantile_shares = {0.10, 0.25, 0.50, 0.75, 0.90, 0.99};

/// How many entries the rows (or the columns) have, empty ones included.
struct Distribution {
  std::int64_t empty = 0;  ///< rows without an entry
  std::int64_t min = 0;
  std::int64_t max = 0;
  double mean = 0;
  double variance = 0;  ///< mean squared distance to the mean
  double skew = 0;  ///< mean cubed distance to the mean over variance^1.5; 0 where all are equal
  /// The least length that at least quantile_shares[i] of the rows do not exceed.
  std::array<std::int64_t, quantile_shares.size()> quantiles = {};
};

/// The distribution of `zeros` zeros and the positive `lengths`; together at least one.
Distribution make_distribution(std::vector<std::int32_t> lengths, std::int64_t zeros);

/// Blocks of side x side positions with corners at multiples of `side`.
struct BlockFeatures {
  int side = 0;
  double full_share = 0;  ///< of the entries, those in blocks that are stored whole
  double fill = 0;        ///< stored share of the positions of the blocks that hold an entry
};

/// Where the entries of a row lie, and whether the next row's lie there too.
struct Locality {
  double bandwidth = 0;  ///< mean over rows of (last column - first column) / columns; in [0, 1)
  /// Mean over entries: how many of the two columns beside an entry have one in its row; in [0, 2).
  double neighbours = 0;
  /// Mean over rows with entries: the share of a row's entries that have an entry of the next such
  /// row in their column or one beside it. The share of the last row is 0.
  double similarity = 0;
};

/// O(nnz); never fails.
Locality find_locality(const Matrix& matrix);

struct Features {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t stored_zeros = 0;
  std::int64_t diagonal_entries = 0;

  /// The shares of the entries off the diagonal that have a stored mirror image; ... with the same
  /// value; ... with the opposite value. 1 where there are none; 0 where rows != cols.
  double pattern_symmetry = 0;
  double value_symmetry = 0;
  double skew_symmetry = 0;

  Distribution row_lengths;
  Distribution col_counts;

  std::int64_t band_below = 0;  ///< largest row - column of an entry; 0 where none is positive
  std::int64_t band_above = 0;  ///< largest column - row
  std::int64_t profile = 0;     ///< sum over rows of row - first column, where that is positive
  double col_gap_mean = 0;      ///< mean distance of an entry's column to the next in its row
  Locality locality;
  double row_similarity = 0;  ///< of the entries below row 0, those with one right above
  std::array<BlockFeatures, 3> blocks = {{{3, 0, 0}, {4, 0, 0}, {8, 0, 0}}};
  std::int64_t diagonals = 0;        ///< that hold an entry
  double fullest_diagonals = 0;      ///< of the entries, those on the ten fullest diagonals
  std::int64_t distinct_values = 0;  ///< by their bits: 0 and -0 are two
  std::int64_t beyond_f32 = 0;       ///< values that float32 does not hold exactly
};

/// Never fails; the matrix is canonical (check_canonical).
Features compute_features(const Matrix& matrix);

/// One feature as a number, for models and for JSON.
struct NamedFeature {
  std::string_view name;  ///< snake_case, never changes its meaning
  double value;           ///< finite
};

/// The version of the names of feature_list and their meanings. It is raised when a name is added,
/// removed or given another meaning.
inline constexpr int features_version = 1;

/// All of them, always in the same order.
std::vector<NamedFeature> feature_list(const Features& features);

/// The features from their list, which may be in any order. None where a name is missing, or a
/// number cannot be that feature.
std::optional<Features> features_of_list(
    const std::vector<std::pair<std::string, double>>& numbers);

}  // namespace alphasparse
