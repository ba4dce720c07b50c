// random_design: a legal design at random - a walk over the catalogue that asks `applies` before
// every step.
//
// Parameters come from their coarse grids and from small odd multiples of their least value, so
// that ends which do not come out even are the rule. Each operator stands in a design at most once.
#pragma once
#include <cstdint>
#include <string>

#include "base/target.h"
#include "generator/arrays/matrix.h"

namespace alphasparse {

/// A complete design for the matrix, in canonical spelling, its launch last. Legal, but its format
/// may be larger than BuildLimits allows. The same seed gives the same design with every compiler.
std::string random_design(const Matrix& matrix, std::uint64_t seed, Target target = Target::gpu);

}  // namespace alphasparse
