// printer: the text of a kernel body. It alone breaks lines and spells loops and guards.
#pragma once
#include <string>
#include <vector>

#include "generator/code/slots.h"

namespace alphasparse {

/// The text of nested slots, outermost first, indented from `depth`, of at most 100 columns where
/// a break is possible. It reads the names that its statements read.
Code printed(const std::vector<Slot>& slots, int depth);

}  // namespace alphasparse
