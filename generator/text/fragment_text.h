// fragment_text: the text of device fragments as it stands in a generated file.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/target.h"
#include "generator/arrays/matrix.h"

namespace alphasparse {

/// The named fragments and what they include, each once, includes first; without #include, #pragma
/// and the prelude's default for the value type, which becomes that of `dtype`. `present` are in
/// the file already. On a GPU they are templates/fragments, on a CPU those of the same names in
/// templates/lanes, whose directives other than includes of each other stay.
std::string fragment_text(const std::vector<std::string_view>& names, Dtype dtype,
                          const std::vector<std::string_view>& present = {},
                          Target target = Target::cuda);

/// The names and those of what they include.
std::vector<std::string> with_included(const std::vector<std::string_view>& names, Target target);

}  // namespace alphasparse
