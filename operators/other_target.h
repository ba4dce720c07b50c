// other_target: a design for one target in the words of another, so that a fast design of a GPU may
// be tried on a CPU, and the reverse.
//
// The launch becomes the target's own. Steps and words that the target lacks (targets.h) are left
// out, or give way to the nearest that it has. A block of rows is a gang of 32 on a CPU, and a gang
// of another size a warp on a GPU. Sums that are carried or added go to y atomically. Arrays that a
// CPU would unpack are narrow. Operators reject sums that are left without a step.
//
// Example: "compress | block_rows rows=128 | thread_rows rows=1 | thread_pad | interleave |
// thread_total | global_store | launch threads=128" is on a CPU "compress | warp_rows rows=32 |
// thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | launch tasks=bytes".
#pragma once
#include <optional>

#include "base/target.h"
#include "operators/canonical_design.h"

namespace alphasparse {

/// As it is where it is for that target already. Nothing where a step has no counterpart. Whether
/// it applies to a matrix is not asked.
std::optional<CanonicalDesign> convert_design(const CanonicalDesign& design, Target target);

}  // namespace alphasparse
