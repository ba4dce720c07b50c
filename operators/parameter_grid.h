// parameter_grid: the values that a design's parameters may take in a search, and designs with
// other values.
//
// The coarse grid of a parameter is its own (ParameterSpec::coarse). The fine grid around it has
// four values an octave - 4 5 6 7, 8 10 12 14, 16 20 ... - from half the least coarse value to
// twice the greatest. A percentage has every 5, and a word all its words. Multiples and powers of
// two stay so. Where CPUs have a coarse grid of their own, there is no other value.
//
// Example: `launch threads=` is coarse at 64 128 256 512, and fine at 32 64 96 128 160 192 224 256
// 320 ... 896 1024; 112 is left out, which is no multiple of 32.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "operators/canonical_design.h"
#include "operators/operator.h"

namespace alphasparse {

/// Every step of a design, those of its branches included, in the order of the text.
template <class DesignType, class Function>
void for_each_step(DesignType& design, const Function& function) {
  for (auto& step : design.steps) {
    function(step);
    for (auto& branch : step.branches) for_each_step(branch, function);
  }
}

/// Sets a parameter, given or not.
void set_parameter(Step& step, const std::string& name, const std::string& value);

/// Sets the parameters that follow from the next step's (ParameterSpec::times_next).
void set_tied_parameters(Design& design);

/// The integers of a parameter's fine grid, ascending, its coarse grid and `own` (0: none) among
/// them; none where it has no coarse grid.
std::vector<std::int64_t> fine_values(const ParameterSpec& spec, const RowFacts& rows,
                                      std::int64_t own = 0, Target target = Target::gpu);

/// A parameter of a design that may be another, and its possible values.
struct FineAxis {
  std::size_t step = 0;  ///< counted over all branches, as for_each_step goes
  std::string parameter;
  std::vector<std::string> values;  ///< integers ascending, words behind them; at least two
  std::size_t own = 0;              ///< index of the design's own value
};

/// The axes of a design that the catalogue knows. A list has, beside itself, those where one item
/// is another. Parameters that follow from others have no axis, and neither have those without a
/// grid on the design's target.
std::vector<FineAxis> fine_axes(const Design& design, const RowFacts& rows);

/// The value of an axis.
struct FineChoice {
  const FineAxis* axis = nullptr;
  std::size_t value = 0;  ///< index into its values
};

/// The design with other values; ties are kept. Whether it applies to a matrix is not asked.
CanonicalDesign make_design(const Design& design, std::span<const FineChoice> choices);

}  // namespace alphasparse
