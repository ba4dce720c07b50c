// computed_values: the numbers that a kernel computes from the arrays of a file in memory, by the
// one evaluation of expressions (generator/arrays/expression.h), and their checks.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "generator/arrays/kernel.h"
#include "templates/host/facts.h"
#include "templates/host/loaded_format.h"

namespace alphasparse {

/// All that a loader must find out about computed numbers. The arrays have their ranges.
struct ComputedNumbers {
  std::vector<ComputedArray> arrays;
  std::vector<StepWalk> steps;
  Rules rules;
};

/// As the check_computed of an emitted kernel. Throws host::BadFile, which names array and entry.
void check_computed(const ComputedNumbers& numbers, const host::FormatFacts& facts,
                    const host::LoadedFormat& format);

}  // namespace alphasparse
