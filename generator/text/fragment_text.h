// fragment_text: the text of device fragments as it stands in a generated file.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/target.h"
#include "generator/arrays/matrix.h"

namespace alphasparse {

/// The named fragments and those that they include, each once, includes first. #include, #pragma
/// and the prelude's default for the value type are left out; that type becomes the one of `dtype`.
/// `present` are in the file already. On a GPU the texts are those of templates/fragments. On a CPU
/// they are those of the same names in templates/lanes. There, directives stay other than includes
/// of each other.
std::string fragment_text(const std::vector<std::string_view>& names, Dtype dtype,
                          const std::vector<std::string_view>& present = {},
                          Target target = Target::cuda);

/// The names and those of the fragments that they include.
std::vector<std::string> with_included(const std::vector<std::string_view>& names, Target target);

}  // namespace alphasparse
