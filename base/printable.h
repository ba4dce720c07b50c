// printable: text that came from a file - a name, a comment, a row of a database - as it may be
// shown.
//
// A terminal obeys control characters, and marks of direction change the order of the text that it
// shows. A comment's line ends at a line's end. So a '?' replaces each of these: control characters
// (C0, DEL, C1), marks and overrides of direction, separators of lines and paragraphs, and bytes
// that are not UTF-8.
#pragma once
#include <string>
#include <string_view>

namespace alphasparse {

/// One line.
std::string printable(std::string_view text);

/// Several: line ends and tabs stay.
std::string printable_lines(std::string_view text);

/// JSON as it may be shown: the same characters as their escapes, so that it says the same.
std::string printable_json(std::string_view json);

}  // namespace alphasparse
