// random_entries: integer arrays as structure arrays are - lines, periods, steps, runs, noise - and
// near misses of them.
#pragma once
#include <cstdint>

#include "generator/arrays/model.h"

namespace alphasparse {

/// An array of some kind at random, with a few entries that break it in some. The same seed gives
/// the same array with every compiler. Its entries are at most 2^30 in magnitude.
Integers random_entries(std::uint64_t seed);

}  // namespace alphasparse
