// wide_loads: loads of several neighbours of an array at once, 16 bytes at most.
#pragma once
#include <string>
#include <vector>

#include "base/code.h"

namespace alphasparse {

struct Composition;  // generator/code/composition.h

/// Appends the loads of the neighbours from `entry` on, a multiple of `width`, to the statements of
/// a functor; returns the names that they have there.
std::vector<Code> load_neighbours(Composition& composition, const std::string& array, int width,
                                  Code& text);

}  // namespace alphasparse
