// highlight: C++ and CUDA source as HTML, its words told apart by colour.
#pragma once
#include <string>
#include <string_view>

namespace alphasparse {

/// The whole text, in spans of the classes comment, string, literal, keyword and macro (a line of
/// the preprocessor); its characters stay as they are.
std::string highlighted(std::string_view source);

}  // namespace alphasparse
