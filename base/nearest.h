// nearest: the known name that a misspelt one most probably means.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace alphasparse {

/// How many letters must be changed, added, left out or swapped with their neighbour to turn one
/// word into the other (optimal string alignment).
std::size_t edit_distance(std::string_view one, std::string_view other);

/// The nearest of the names, where at most a third of the word's letters differ; else empty. Among
/// equally near names it is the first.
std::string nearest_name(std::string_view text, const std::vector<std::string>& names);

/// " (did you mean NAME?)", or empty where no name is near, or the word itself is one.
std::string did_you_mean(std::string_view text, const std::vector<std::string>& names);

/// "no WHAT is called 'WORD' (did you mean NAME?); there are NAME, ...".
std::string unknown_name(std::string_view what, std::string_view text,
                         const std::vector<std::string>& names);

}  // namespace alphasparse
