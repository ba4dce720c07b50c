// compare_model: what the parts of the program share - the model's times beside measured ones, and
// what follows from them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/emulated/kernel.h"
#include "search/learning/gpu_model_agreement.h"
#include "search/learning/gpu_model_fit.h"
#include "tools/comparison/measured_times.h"

namespace alphasparse {

/// Misrankings that are told.
inline constexpr std::size_t misrankings_told = 10;

/// One set of constants (or one for each matrix) and how it does.
struct ModelledTimes {
  std::string name;
  std::vector<double> times_us;  ///< of the comparison's designs
  Agreement agreement;
};

/// A constant, as assumed and as fitted.
struct ConstantRow {
  std::string name;
  std::string about;
  double assumed = 0;
  double fitted = 0;
  std::int64_t times_moved = 0;  ///< of all times: none where the data do not speak of it
  bool at_bound = false;         ///< of what it can be: the data ask for more
};

/// Measured designs and what was counted of them.
struct Counted {
  MeasuredTimes measured;
  Comparison comparison;
  std::vector<std::size_t> origins;   ///< of the comparison's matrices, among the measured ones
  std::vector<std::string> left_out;  ///< a line each: what was not compared, and why
};

struct ModelComparison : Counted {
  std::vector<ConstantRow> constants;
  /// With the constants as assumed, as fitted to all, and as fitted to the other matrices; the last
  /// is missing where there is one matrix alone.
  std::vector<ModelledTimes> modelled;

  bool is_held_out() const { return modelled.size() > 2; }
  /// Whether constants that were fitted elsewhere do better than those assumed.
  bool fit_holds() const;
};

/// Fits and judges; the comparison has designs.
ModelComparison compare(Counted counted);

/// Of a design's launches, once for each share of L1.
using Works = std::vector<std::vector<LaunchWork>>;

/// What EmulatedKernel::time asks of counts, once for each share of L1.
Result<Works> works_of(const EmulatorToolchain& tools, const Kernel& kernel, CacheRegime regime,
                       const std::vector<double>& l1_shares);

/// Throws Error (exit 4) where kernels of this compiler are not counted exactly.
void check_counts(const EmulatorToolchain& tools);

/// Counts the designs of a measured matrix by the emulator, with every share of L1, and adds them
/// to the comparison; those that cannot be compared go to `left_out`.
void add_counted(const EmulatorToolchain& tools, const Matrix& matrix, std::size_t measured,
                 Counted& counted);

std::string comparison_text(const ModelComparison& comparison);
std::string comparison_json(const ModelComparison& comparison);

}  // namespace alphasparse
