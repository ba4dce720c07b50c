// ratios: our time beside those of others, and the baselines that such a ratio rests on.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "runtime/database/measurement.h"

namespace alphasparse {

/// "2.54 times as fast as"; "as fast as" within half a per cent; "1.10 times as slow as".
std::string speed_text(double ours_us, double theirs_us);

/// A library beside our kernels that is not installed, and how it is.
struct MissingBaseline {
  std::string_view library;  ///< "MKL"
  std::string_view install;  ///< "pip install mkl"
};

/// The libraries of which an algorithm was verified and timed, in the order of the outcomes.
std::vector<std::string_view> baselines_present(const std::vector<const Measurement*>& outcomes);

std::vector<MissingBaseline> baselines_missing(const std::vector<const Measurement*>& outcomes);

/// "OpenMP, Eigen".
std::string present_text(const std::vector<const Measurement*>& outcomes);

/// "MKL: not installed (pip install mkl); Eigen: ..."; empty where none is missing.
std::string not_installed_text(const std::vector<const Measurement*>& outcomes);

/// A design in lines that end at its bars, `indent` blanks before each but the first. A word that
/// is longer than a line has one of its own.
std::string wrapped_design(std::string_view design, std::size_t indent, std::size_t width = 100);

}  // namespace alphasparse
