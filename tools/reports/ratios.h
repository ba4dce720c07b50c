// ratios: our time beside those of others, and the baselines that such a ratio rests on.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/target.h"
#include "runtime/database/measurement.h"
#include "runtime/device/baseline_kernels.h"

namespace alphasparse {

/// The rule of all ratios: a time of others over ours, both medians. Its range goes from their
/// least over our median to their median over our least; it is one point where a least is not
/// known.
struct Ratio {
  double value, least, most;

  std::string text() const;   ///< "2.54", or with a range "2.54 (2.49-2.60)"
  std::string range() const;  ///< "2.49-2.60"
};

/// "2.54", or of a huge number its first digits.
std::string times_text(double times);

Ratio make_ratio(const Timing& ours, const Timing& theirs);

/// "2.54 (2.49-2.60) times as fast as"; "as fast as" within half a per cent; "1.10 times as slow
/// as".
std::string speed_text(const Timing& ours, const Timing& theirs);

/// A library beside our kernels that is not installed, and how it is.
struct MissingBaseline {
  std::string_view library;  ///< "MKL"
  std::string_view install;  ///< "pip install mkl"
};

/// The libraries of which an algorithm was verified and timed, in the order of the outcomes.
std::vector<std::string_view> baselines_present(const std::vector<const Measurement*>& outcomes);

std::vector<MissingBaseline> baselines_missing(const std::vector<const Measurement*>& outcomes);

/// "MKL (not installed), Eigen": the libraries for a target without a time; empty: none.
std::string untimed_text(const std::vector<Baseline>& all,
                         const std::vector<const Measurement*>& outcomes);

/// "OpenMP, Eigen".
std::string present_text(const std::vector<const Measurement*>& outcomes);

/// "MKL: not installed (pip install mkl); Eigen: ..."; empty where none is missing.
std::string not_installed_text(const std::vector<const Measurement*>& outcomes);

/// A design in lines that end at its bars, `indent` blanks before each but the first. A word that
/// is longer than a line has one of its own.
std::string wrapped_design(std::string_view design, std::size_t indent, std::size_t width = 100);

}  // namespace alphasparse
