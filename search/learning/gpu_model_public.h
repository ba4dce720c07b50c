// gpu_model_public: how well modelled times agree with times that others have published.
//
// Such times hold more than a kernel: a launch from the host, a timer, a synchronisation. One
// overhead a source, the one with the least squared log((modelled + overhead) / measured), is
// fitted and added to its modelled times. Their kernels are neighbours of the designs: differences
// under 20 % mean nothing.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/learning/gpu_model_fit.h"

namespace alphasparse {

/// Of the modelled times of one source.
struct PublicFigures {
  double host_us = 0;         ///< the overhead
  std::int64_t designs = 0;   ///< pairs of a design and a matrix
  std::int64_t matrices = 0;  ///< that have one
  std::int64_t pairs = 0;     ///< of designs of a matrix whose measured times are over 20 % apart
  std::optional<double> pairs_right;  ///< the share of them that is in the right order
  double ratio = 1;                   ///< modelled / measured, median
  double error_factor = 1;            ///< exp of the standard deviation of log(modelled / measured)
  /// Measured time of the design that is modelled fastest over the least measured time: geometric
  /// mean over matrices with several designs; nothing without such.
  std::optional<double> pick_cost;
  std::optional<double> spearman;  ///< mean over matrices
};

/// `times_us[i]` are modelled times of comparison.designs[i]; there is one.
double fitted_host_us(const Comparison& comparison, std::span<const double> times_us);
PublicFigures public_figures(const Comparison& comparison, std::span<const double> times_us);

/// The constants with the least squares over the designs of all sources, each with its own
/// overhead. Every source has designs.
ModelConstants fit_constants_to(std::span<const Comparison* const> sources);

}  // namespace alphasparse
