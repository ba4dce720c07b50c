// rank: how well one order agrees with another - correlations of ranks, and the pairs that stand
// the wrong way round.
//
// Example, modelled times 1 2 2 4 and measured times 1 3 2 3: the ranks are 1 2.5 2.5 4 and
// 1 3.5 2 3.5. Spearman's coefficient is the correlation of these, 3.75 / 4.5 = 0.83; of Kendall's
// pairs 4 agree, none disagrees, and each side ties one of 6: 4 / sqrt(5 * 5) = 0.8.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace alphasparse {

/// Ranks from 1 in rising order; equal values share the mean of theirs.
std::vector<double> ranks(std::span<const double> values);

/// Spearman's coefficient, ties included, in [-1, 1]; nothing where one side is all equal or
/// shorter than two. Both sides are of the same length.
std::optional<double> spearman(std::span<const double> a, std::span<const double> b);

/// Kendall's tau-b, likewise. O(n^2).
std::optional<double> kendall(std::span<const double> a, std::span<const double> b);

/// A pair that is ordered one way by model and the other way by measurement.
struct Misranking {
  std::size_t preferred = 0;  ///< by the model: the index with the smaller modelled time
  std::size_t better = 0;     ///< the one with the smaller measured time
  /// How much the model prefers the wrong one, times how much slower that one is measured; > 1.
  double factor = 1;
};

/// Every such pair, the largest factor first (equal ones by their indices). Times are positive.
std::vector<Misranking> misrankings(std::span<const double> modelled,
                                    std::span<const double> measured);

}  // namespace alphasparse
