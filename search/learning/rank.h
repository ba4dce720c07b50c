// rank: how well one order agrees with another, by the correlation of ranks.
//
// Example, predicted times 1 2 2 4 and measured times 1 3 2 3: the ranks are 1 2.5 2.5 4 and
// 1 3.5 2 3.5. Spearman's coefficient is the correlation of these, 3.75 / 4.5 = 0.83.
#pragma once
#include <optional>
#include <span>
#include <vector>

namespace alphasparse {

/// Ranks from 1 in rising order; equal values share the mean of theirs.
std::vector<double> ranks(std::span<const double> values);

/// Spearman's coefficient, ties included, in [-1, 1]; nothing where one side is all equal or
/// shorter than two. Both sides are of the same length.
std::optional<double> spearman(std::span<const double> a, std::span<const double> b);

}  // namespace alphasparse
