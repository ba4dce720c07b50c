// fragment_text: the text of device fragments as it stands in a generated file.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/target.h"
#include "generator/arrays/operands.h"

namespace alphasparse {

/// The text of each named fragment and of those that they include, each once, includes first.
/// #include, #pragma and the prelude's default for the value type are left out; that type becomes
/// the one of `dtype`. On a GPU the texts are those of templates/fragments. On a CPU they are those
/// of the same names in templates/lanes. There, directives stay other than includes of each other.
std::vector<std::string> fragment_texts(const std::vector<std::string_view>& names,
                                        const Operands& operands, Target target);

/// All of them without their marks (fragment_pieces.h), an empty line between each two.
std::string fragment_text(const std::vector<std::string_view>& names, const Operands& operands,
                          Target target = Target::gpu);

}  // namespace alphasparse
