// gpu_model_agreement: how well modelled times agree with measured ones, matrix by matrix and over
// all.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/learning/gpu_model_fit.h"

namespace alphasparse {

/// Of one matrix, or the means over matrices. Correlations are nothing where a matrix has fewer
/// than two designs or all its times are equal on one side.
struct Agreement {
  std::int64_t designs = 0;
  std::optional<double> spearman, kendall;  ///< of several matrices: mean of those that have one
  /// Geometric mean over designs of modelled / measured or its inverse, whichever is above 1.
  double error_factor = 1;
  /// Measured time of the design that is modelled fastest, over the least measured time: what
  /// trusting the model costs. Of several matrices: geometric mean.
  double pick_ratio = 1;
  std::int64_t pairs = 0;      ///< of designs of a matrix
  std::int64_t misranked = 0;  ///< of those
};

/// `times_us[i]` are modelled times of comparison.designs[i].
Agreement matrix_agreement(const Comparison& comparison, std::span<const double> times_us,
                           std::size_t matrix);
Agreement agreement(const Comparison& comparison, std::span<const double> times_us);

/// A misranking (search/learning/rank.h) by indices into comparison.designs.
struct MisrankedPair {
  std::size_t preferred = 0, better = 0;
  double factor = 1;
};

/// The worst pairs of designs of one matrix, over all matrices, the worst first; at most `most`.
std::vector<MisrankedPair> worst_misrankings(const Comparison& comparison,
                                             std::span<const double> times_us, std::size_t most);

}  // namespace alphasparse
