// computed_checks: the checks that a loader makes of the numbers that a kernel computes from the
// arrays of its file. They are plain loops over the formulas of the kernel, so that every number is
// found in its range before anything is launched.
#pragma once
#include <string>
#include <vector>

#include "generator/arrays/kernel.h"

namespace alphasparse {

/// The arrays that a loader must compute: those with a range that come from stored arrays, or that
/// these or the steps read. They point into the kernel.
std::vector<const ComputedArray*> arrays_to_check(const Kernel& kernel);

/// The rules that depend on the contents of the file.
Rules rules_to_check(const Kernel& kernel);

/// Whether a loader must compute anything: such an array, a rule or a walk of steps.
bool computes_arrays(const Kernel& kernel);

/// The section of an emitted file that defines check_computed (templates/host/facts.h), over the
/// functions of templates/host/computed_check.h. Only for a kernel that computes arrays.
std::string computed_checks(const Kernel& kernel);

}  // namespace alphasparse
