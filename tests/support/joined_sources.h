// joined_sources: emitted sources of several kernels as one text, which a compiler takes in a
// fraction of the time that they take one by one.
//
// A source is sections, each below a line "// name: ...". The parts that read a format file are the
// same in all sources, and stand once. The rest of each kernel is a namespace of its own; its C
// functions are seen as ever.
#pragma once
#include <string>
#include <vector>

namespace alphasparse {

/// All are for the same target, and have different prefixes.
std::string joined_sources(const std::vector<std::string>& sources);

}  // namespace alphasparse
