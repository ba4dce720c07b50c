// computed_facts: the facts that a loader gets on the arrays that a kernel computes from those of
// its file. With them the loader finds the computed entries in range before anything is launched.
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

/// An expression as facts have it: NAME(index) for an array's entry.
std::string fact_text(const Expression& entry);

/// Tables of ComputedFacts, StepFacts, SpanFacts and BitFacts (templates/host/computed_facts.h),
/// and the members of FormatFacts that name them, ", computed.data(), ...": nothing where there is
/// nothing to check.
std::string computed_tables(const Kernel& kernel);
std::string computed_initialisers(const Kernel& kernel);

}  // namespace alphasparse
