// computed_metadata: the metadata "computed", "steps" and "rules" of a format file. They state
// the arrays that its kernel computes instead of loading them, and the checks that a reader has to
// make of them.
#pragma once
#include <string>

#include "generator/arrays/kernel.h"
#include "runtime/formats/computed_values.h"
#include "templates/host/safetensors.h"

namespace alphasparse {

/// The metadata as JSON.
std::string computed_json(const Kernel& kernel);
std::string steps_json(const Kernel& kernel);
std::string rules_json(const Kernel& kernel);

/// The numbers that a file itself says are computed, without rules. Throws host::BadFile.
ComputedNumbers computed_numbers(const host::Header& header);

}  // namespace alphasparse
