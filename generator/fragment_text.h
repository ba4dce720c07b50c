// fragment_text: the text of device fragments as it stands in a generated file.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "generator/matrix.h"

namespace alphasparse {

/// The named fragments and what they include, each once, includes first; without #include, #pragma
/// and the prelude's default for the value type, which becomes that of `dtype`. `present` are in
/// the file already.
std::string fragment_text(const std::vector<std::string_view>& names, Dtype dtype,
                          const std::vector<std::string_view>& present = {});

}  // namespace alphasparse
